// The distribution of the sum of many privacy losses, near one epsilon.
#pragma once

#include "tilted.hpp"

#include <memory>

namespace tulle::account {

class Composed {
 public:
  virtual ~Composed() = default;

  virtual double delta_upper(double epsilon) const = 0;

  // The least epsilon in the window with delta_upper <= delta; -infinity if it lies below the window,
  // infinity if above.
  virtual double epsilon_upper(double delta) const = 0;

  // The part of delta_upper(epsilon) that covers rounding and what was cut off.
  virtual double slack(double epsilon) const = 0;
};

// By fast Fourier transforms of the size of the window (a power of two): for any number of releases.
std::unique_ptr<Composed> compose_window(const std::vector<Release>& releases, Direction direction,
                                         const Plan& plan);

// By the lowest frequencies alone: for so many releases that the transform of their sum vanishes at all other
// frequencies, which is proven during the computation. Null if it does not vanish. The size of the window
// does not matter.
std::unique_ptr<Composed> compose_spectrum(const std::vector<Release>& releases, Direction direction,
                                           const Plan& plan);

}  // namespace tulle::account
