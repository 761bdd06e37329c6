// Inputs and outputs that all solvers share, besides their own options.
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
  double objective = 0;  // what the solver minimises; each solver documents it
  double change = 0;     // relative change of the measure that decides when to stop
  double validation_rmse = std::numeric_limits<double>::quiet_NaN();  // NaN without validation data
  double seconds = 0;                                                 // since the start of the fit
  int limit = 0;  // maximum number of iterations of the fit
};

// Called after every iteration; returning false stops the fit, which then returns its present model.
using Observer = std::function<bool(const Iteration&)>;

struct Control {
  int max_iterations = 50;
  double tolerance = 1e-5;  // stop when Iteration::change falls below
  std::uint64_t seed = 0;
  Observer observer;               // may be empty
  const Device* device = nullptr;  // null: the CPU (solve/device.hpp)
};

enum class Start { random, spectral };

template <class M>
struct Fit {
  M model;
  std::vector<Iteration> history;
  bool converged = false;  // stopped by the tolerance or by the patience on validation data
};

}  // namespace tulle

#pragma GCC visibility pop
