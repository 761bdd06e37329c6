// One budget, spent by several Gaussian releases without sampling.
#pragma once

#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/guarantee.hpp>

#include <cmath>

namespace tulle {

// The noise multiplier of a release that may spend `share` of the budget. By GDP releases with multipliers
// z_i cost mu^2 = sum of 1/z_i^2, so shares that add up to 1 spend exactly the budget.
inline double gaussian_multiplier(const Budget& budget, double share) {
  return 1 / (gaussian_mu_lower(budget.epsilon, budget.delta) * std::sqrt(share));
}

}  // namespace tulle
