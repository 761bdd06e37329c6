// Checks of epsilon and delta, worded alike for all accountants.
#pragma once

#include <tulle/base/error.hpp>

#include <cmath>

namespace tulle::account {

inline void check_delta(double delta) {
  if (!(delta > 0 && delta < 1)) fail_usage("a delta of {}; it must lie between 0 and 1", delta);
}

inline void check_epsilon(double epsilon) {
  if (!(epsilon >= 0) || !std::isfinite(epsilon))
    fail_usage("an epsilon of {}; it must be finite and at least 0", epsilon);
}

}  // namespace tulle::account
