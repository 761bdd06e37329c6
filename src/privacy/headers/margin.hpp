// The budget that a method calibrates its noise for.
#pragma once

#include <tulle/privacy/guarantee.hpp>

namespace tulle {

// Shares of a budget that are rounded separately can add up to more than the budget, which a curator refuses.
// So a method divides slightly less: 1e-10 of the budget is far more than rounding needs and has no visible
// effect on the noise.
inline constexpr double kRoundingMargin = 1e-10;
inline Budget with_margin(const Budget& budget) {
  return {budget.epsilon * (1 - kRoundingMargin), budget.delta};
}

}  // namespace tulle
