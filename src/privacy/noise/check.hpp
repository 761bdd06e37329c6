// Every parameter is checked where its value type is made, and every refusal is worded alike:
// "Laplace noise: scale -1 must be positive and finite".
#pragma once

#include <tulle/base/error.hpp>

#include <cmath>
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

}  // namespace tulle
