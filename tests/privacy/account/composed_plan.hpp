// A plan for composing Gaussian releases around an epsilon, by their closed-form moments.
#pragma once

#include "account/composed.hpp"

#include <cmath>

namespace tulle::testing {

// Tilted by theta, the sum of the losses is normal with mean mu^2 (1/2 + theta) and variance mu^2.
inline account::Plan gaussian_plan(double mu, double count, double epsilon, std::size_t size) {
  const double theta = epsilon / (mu * mu) - 0.5, width = 24 * mu / static_cast<double>(size);
  return {theta, width, epsilon, size, 1e-18, 4 / mu, mu / std::sqrt(count), {{}}};
}

}  // namespace tulle::testing
