#include "privacy/account/log_uniform.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/composition.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using testing::between;

TEST(Composition, ExactInversesAndKnownValues) {
  EXPECT_NEAR(zcdp_rho_simple(2, 1e-4), 0.098176, 5e-7);
  EXPECT_NEAR(optimal_delta_upper(0.1, 100, optimal_epsilon_upper(0.1, 100, 1e-5)), 1e-5, 1e-14);
}

// Losses far apart: p (1 - e^(total - loss)) for one release, inverted.
TEST(Composition, OptimalIsExactForLargeEpsilons) {
  EXPECT_NEAR(optimal_epsilon_upper(30, 1, 0.5), 30 + std::log(0.5), 1e-12);
  EXPECT_NEAR(optimal_delta_upper(25, 2, 40), -std::expm1(-10.0), 1e-9);
  EXPECT_LE(optimal_delta_upper(800, 2, 900), 1);
}

// The definition: the sum over j of Binomial(k, p)(j) (1 - e^(total - (2 j - k) epsilon))+.
TEST(Composition, OptimalIsTheBinomialSum) {
  const double epsilon = 0.3, total = 0.7, p = 1 / (1 + std::exp(-epsilon));
  const int k = 6;
  double sum = 0;
  for (int j = 0; j <= k; ++j) {
    const double choose = std::exp(std::lgamma(k + 1) - std::lgamma(j + 1) - std::lgamma(k - j + 1));
    const double loss = (2 * j - k) * epsilon;
    if (loss > total) sum += choose * std::pow(p, j) * std::pow(1 - p, k - j) * -std::expm1(total - loss);
  }
  const double bound = optimal_delta_upper(epsilon, k, total);
  EXPECT_GE(bound, sum * (1 - 1e-14));
  EXPECT_NEAR(bound, sum, 1e-12 * sum);
}

// epsilon = rho + 2 sqrt(rho ln(1/delta)), turned round.
TEST(Composition, ConcentratedPrivacyConverts) {
  for (const double rho : {1e-3, 0.1, 2.0})
    for (const double delta : {1e-12, 1e-5, 0.1})
      EXPECT_NEAR(zcdp_rho_simple(rho + 2 * std::sqrt(-rho * std::log(delta)), delta), rho, 1e-13);
}

TEST(Composition, RefusesArgumentsOutsideTheirRange) {
  EXPECT_THROW(optimal_delta_upper(-1, 1, 1), UsageError);
  EXPECT_THROW(optimal_epsilon_upper(1, 0, 1e-5), UsageError);
  EXPECT_THROW(optimal_epsilon_upper(1, 1, 1), UsageError);
}

RC_GTEST_PROP(Optimal, LiesBetweenNothingAndBasicComposition, ()) {
  const double epsilon = between(1e-6, 20), delta = between(1e-15, 0.5);
  const auto count = static_cast<std::uint64_t>(between(1, 1e6));
  const double together = optimal_epsilon_upper(epsilon, count, delta);
  RC_ASSERT(together >= 0);
  RC_ASSERT(together <= epsilon * static_cast<double>(count) * (1 + 1e-12));
  RC_ASSERT(optimal_delta_upper(epsilon, count, together) <= delta * (1 + 1e-6));
}

}  // namespace
}  // namespace tulle
