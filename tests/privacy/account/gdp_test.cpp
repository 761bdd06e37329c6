#include "privacy/account/log_uniform.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

namespace tulle {
namespace {

using testing::between;

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

// Balle and Wang 2018, theorem 8: Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
TEST(Gdp, DeltaIsTheClosedForm) {
  for (const double mu : {0.2, 1.0, 3.0})
    for (const double epsilon : {0.0, 0.1, 1.0, 4.0}) {
      const double exact =
          normal_cdf(mu / 2 - epsilon / mu) - std::exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu);
      if (exact < 1e-4) continue;  // where the difference above has lost its digits
      EXPECT_NEAR(gaussian_delta_upper(mu, epsilon), exact, 1e-11 * exact);
    }
}

// At epsilon 0 delta is the total variation, erf(mu / sqrt 8).
TEST(Gdp, AtEpsilonZeroDeltaIsTheTotalVariation) {
  EXPECT_NEAR(gaussian_delta_upper(0.5, 0), std::erf(0.5 / std::sqrt(8)), 1e-14);
  EXPECT_EQ(gaussian_epsilon_upper(0.5, 1.001 * std::erf(0.5 / std::sqrt(8))), 0);
}

TEST(Gdp, RefusesArgumentsOutsideTheirRange) {
  EXPECT_THROW(gaussian_delta_upper(0, 1), UsageError);
  EXPECT_THROW(gaussian_delta_upper(1, -1), UsageError);
  EXPECT_THROW(gaussian_epsilon_upper(1, 0), UsageError);
  EXPECT_THROW(gaussian_mu_lower(1, 1), UsageError);
}

RC_GTEST_PROP(Gdp, IsMonotoneAndItsOwnInverse, ()) {
  const double mu = between(1e-6, 60), delta = between(1e-15, 0.5), more = between(1.0001, 10);
  const double epsilon = gaussian_epsilon_upper(mu, delta);
  RC_ASSERT(epsilon >= 0);
  RC_ASSERT(gaussian_epsilon_upper(mu * more, delta) >= epsilon);
  RC_ASSERT(gaussian_epsilon_upper(mu, std::min(0.9, delta * more)) <= epsilon);
  RC_ASSERT(gaussian_delta_upper(mu, epsilon) <= delta);
  const double budget = between(1e-6, 50), largest = gaussian_mu_lower(budget, delta);
  RC_ASSERT(gaussian_epsilon_upper(largest, delta) <= budget * (1 + 1e-9));
  RC_ASSERT(gaussian_epsilon_upper(largest * (1 + 1e-6), delta) >= budget * (1 - 1e-9));
}

}  // namespace
}  // namespace tulle
