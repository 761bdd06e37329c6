#include <tulle/base/error.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tulle {
namespace {

constexpr Relation kRelation = Relation::add_remove;

TEST(AdaptiveEpsilon, OfPureReleasesIsTheirSumAtDeltaZero) {
  const std::vector<Event> events{Event::pure(0.25).times(2), Event::laplace(4)};
  const Bound bound = adaptive_epsilon_upper(events, kRelation, 1, 0);
  EXPECT_DOUBLE_EQ(bound.value, 0.75);
  EXPECT_EQ(bound.how, Accounting::pure);
  EXPECT_EQ(bound.delta, 0);
  EXPECT_EQ(adaptive_epsilon_upper({}, kRelation, 1, 1e-6).value, 0);
}

TEST(AdaptiveEpsilon, OfGaussianReleasesIsGdpAtHalfOfDelta) {
  const std::vector<Event> events{Event::gaussian(5).times(3), Event::gaussian(10)};
  const Bound bound = adaptive_epsilon_upper(events, kRelation, 1, 1e-6);
  EXPECT_EQ(bound.how, Accounting::gdp);
  EXPECT_DOUBLE_EQ(bound.value, gaussian_epsilon_upper(std::sqrt(3 / 25.0 + 1 / 100.0), 0.5e-6));
}

// The order of the Renyi filter depends on the budget alone, so that it is fixed before the first release.
TEST(AdaptiveEpsilon, OfSampledReleasesIsRenyiAtAnOrderFixedByTheBudget) {
  const std::vector<Event> events{Event::gaussian(1).sampled(PoissonSampling::what_if(0.01)).times(100)};
  const Bound bound = adaptive_epsilon_upper(events, kRelation, 2, 1e-6);
  EXPECT_EQ(bound.how, Accounting::rdp);
  // For rho-zCDP with rho + 2 sqrt(rho ln(1/delta)) = budget the best order is 1 + sqrt(ln(1/delta) / rho).
  const double log = -std::log(0.5e-6), rho = std::pow(std::sqrt(log + 2) - std::sqrt(log), 2);
  const double order = 1 + std::sqrt(log / rho);
  EXPECT_NEAR(bound.value, rdp_to_epsilon(rdp_upper(events[0], kRelation, order), order, 0.5e-6), 1e-9);
  EXPECT_NE(adaptive_epsilon_upper(events, kRelation, 0.5, 1e-6).value, bound.value);
}

TEST(Odometer, IsTheSumForPureReleasesAndNothingBeforeTheFirst) {
  EXPECT_EQ(odometer_epsilon_upper({}, kRelation, 1e-6), 0);
  const std::vector<Event> events{Event::pure(0.1)};
  EXPECT_DOUBLE_EQ(odometer_epsilon_upper(events, kRelation, 1e-6), 0.1);
  EXPECT_THROW(odometer_epsilon_upper(events, kRelation, 0), UsageError);
}

// The mixture over 18 tilts reaches 1 / delta no later than each of its parts does, and no earlier than a sum
// of 18 parts that are all as large as the largest.
TEST(Odometer, LiesBetweenTheBoundsOfItsMixture) {
  const double delta = 1e-6;
  const std::vector<Event> events{Event::gaussian(4).times(10)};
  double one_part = INFINITY, all_alike = INFINITY;
  for (double tilt = 0.25; tilt < 0.25 * (1 << 18); tilt *= 2) {
    const double divergence = rdp_upper(events[0], kRelation, 1 + tilt);
    one_part = std::min(one_part, divergence + std::log(18 / delta) / tilt);
    all_alike = std::min(all_alike, divergence + std::log(1 / delta) / tilt);
  }
  const double odometer = odometer_epsilon_upper(events, kRelation, delta);
  EXPECT_LE(odometer, one_part * (1 + 1e-9));
  EXPECT_GE(odometer, all_alike * (1 - 1e-9));
}

}  // namespace
}  // namespace tulle
