// Sums in whole numbers: the rounding of a long sum of doubles could move by more than an entry does, which
// noise for a single entry would not hide. Numbers from -1 to 1 are rounded once, to steps of 2^-32; then two
// billion of them add up exactly.
#pragma once

#include <cmath>
#include <cstdint>

namespace tulle {

inline constexpr double kStepsOfOne = 0x1p32;

inline std::int64_t in_steps(double number) {
  return std::llround(number * kStepsOfOne);
}

inline double from_steps(std::int64_t sum) {
  return static_cast<double>(sum) / kStepsOfOne;
}

}  // namespace tulle
