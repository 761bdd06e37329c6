// What a method calibrates its noise for.
#pragma once

#include <tulle/privacy/guarantee.hpp>

namespace tulle {

// Shares of a budget that are rounded each can add up to more than the budget, and a curator refuses what
// costs more, by however little. So a method shares out less: far more than rounding takes, far less than
// anybody notices.
inline constexpr double kRoundingMargin = 1e-10;
inline Budget with_margin(const Budget& budget) {
  return {budget.epsilon * (1 - kRoundingMargin), budget.delta};
}

}  // namespace tulle
