// Values are stored as float32.
#pragma once

#include <algorithm>
#include <limits>

namespace tulle {

// The nearest float32; values that are too large become the largest. NaN stays NaN.
inline float to_float32(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kLargest, kLargest));
}

}  // namespace tulle
