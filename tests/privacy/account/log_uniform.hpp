// A random argument, uniform in its logarithm, for properties over the whole range of an argument.
#pragma once

#include <rapidcheck.h>

#include <cmath>

namespace tulle::testing {

inline double between(double low, double high) {
  const double share = *rc::gen::resize(100, rc::gen::inRange(0, 1 << 20)) / static_cast<double>(1 << 20);
  return std::exp(std::log(low) + share * (std::log(high) - std::log(low)));
}

}  // namespace tulle::testing
