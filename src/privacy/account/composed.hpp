// The distribution of the sum of many privacy losses, around one place.
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

  // How much of delta_upper(epsilon) is there for rounding and for what was cut off.
  virtual double slack(double epsilon) const = 0;
};

// By fast Fourier transforms of the size of the window (a power of two): for all releases.
std::unique_ptr<Composed> compose_window(const std::vector<Release>& releases, Direction direction,
                                         const Plan& plan);

// By the lowest frequencies alone: for releases so many that the transform of their sum vanishes at all
// others, which is proven on the way. Null if it does not. The size of the window does not matter.
std::unique_ptr<Composed> compose_spectrum(const std::vector<Release>& releases, Direction direction,
                                           const Plan& plan);

}  // namespace tulle::account
