// What every solver takes and gives, besides its own options.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

class Device;

// One line of a convergence report.
struct Iteration {
  int number = 0;        // 1, 2, ..
  double objective = 0;  // what the solver minimises; each solver says what that is
  double change = 0;     // relative to the iteration before, in the measure that decides when to stop
  double validation_rmse = std::numeric_limits<double>::quiet_NaN();  // when validation data were given
  double seconds = 0;                                                 // since the start of the fit
  int limit = 0;  // the fit ends after so many iterations at the latest
};

// Called after every iteration; returning false stops the fit, which keeps what it has.
using Observer = std::function<bool(const Iteration&)>;

struct Control {
  int max_iterations = 50;
  double tolerance = 1e-5;  // stop when Iteration::change falls below
  std::uint64_t seed = 0;
  Observer observer;               // may be empty
  const Device* device = nullptr;  // none: the CPU (solve/device.hpp)
};

enum class Start { random, spectral };

template <class M>
struct Fit {
  M model;
  std::vector<Iteration> history;
  bool converged = false;  // stopped by the tolerance rather than by the number of iterations
};

}  // namespace tulle

#pragma GCC visibility pop
