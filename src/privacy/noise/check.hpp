// Every parameter is checked where its value type is made, and every refusal is worded alike:
// "Laplace noise: scale -1 must be positive and finite".
#pragma once

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

namespace tulle {

inline double checked_positive(std::string_view what, std::string_view parameter, double value) {
  if (!(value > 0) || !std::isfinite(value))
    fail_usage("{}: {} {} must be positive and finite", what, parameter, value);
  return value;
}

template <class Number>
Number checked_between(std::string_view what, std::string_view parameter, Number value, Number low,
                       Number high) {
  if (!(value >= low && value <= high))
    fail_usage("{}: {} {} must be between {} and {}", what, parameter, value, low, high);
  return value;
}

// Tests the bits of several values at a time.
inline bool all_finite(std::span<const double> values) {
  constexpr std::uint64_t kExponent = 0x7ff0'0000'0000'0000;
  std::uint64_t others = 0;
#pragma omp parallel for schedule(static) reduction(| : others) if (values.size() >= kWorthWaiting / 16)
  for (std::size_t i = 0; i < values.size(); ++i)
    others |= (std::bit_cast<std::uint64_t>(values[i]) & kExponent) == kExponent ? 1 : 0;
  return others == 0;
}

}  // namespace tulle
