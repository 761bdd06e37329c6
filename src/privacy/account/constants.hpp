#pragma once
// Numbers that several accountants need.

#include <limits>

namespace tulle::account {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The unit roundoff of double: the relative error of one operation.
inline constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

// Deltas below this need no accuracy: grids do not resolve them.
inline constexpr double kTiny = 1e-30;

}  // namespace tulle::account
