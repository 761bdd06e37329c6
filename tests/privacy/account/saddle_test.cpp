#include "account/saddle.hpp"

#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::account {
namespace {

constexpr double kLeast = 1e-30;

SumOfLosses sum_of(const Pair& pair, double count) {
  SumOfLosses sum;
  sum.add(pair, Direction::remove, count, kLeast);
  return sum;
}

// The loss of Gaussian noise is normal with mean mu^2/2 and variance mu^2: K(theta) = count mu^2 theta
// (1 + theta) / 2.
TEST(SumOfLosses, CumulantsOfGaussianNoise) {
  const SumOfLosses sum = sum_of(GaussianPair{2, 1, false}, 5);  // mu^2 = 1/4
  for (const double theta : {0.0, 0.5, 3.0}) {
    const Cumulants cumulants = sum.at(theta);
    EXPECT_NEAR(cumulants.log, 5 * theta * (1 + theta) / 8, 1e-10);
    EXPECT_NEAR(cumulants.mean, 5 * (1 + 2 * theta) / 8, 1e-10);
    EXPECT_NEAR(cumulants.variance, 5 / 4.0, 1e-10);
  }
  EXPECT_EQ(sum.count(), 5);
}

TEST(SumOfLosses, FindsTheTiltOfAnEpsilonAndOfADelta) {
  const SumOfLosses sum = sum_of(GaussianPair{2, 1, false}, 5);
  const double theta = sum.theta_for_epsilon(3);  // 5 (1 + 2 theta) / 8 = 3
  EXPECT_NEAR(theta, 1.9, 1e-6);
  // The saddle point formula is exact for a normal loss.
  const double delta = gaussian_delta_upper(std::sqrt(5) / 2, 3);
  EXPECT_NEAR(SumOfLosses::log_delta(theta, sum.at(theta)), std::log(delta), 1e-6);
  EXPECT_NEAR(sum.theta_for_delta(delta), theta, 1e-4);
}

// Chernoff's bound of a normal: e^(-d^2 / (2 variance)) at a distance d from the mean.
TEST(SumOfLosses, BoundsTailsByChernoff) {
  const SumOfLosses sum = sum_of(GaussianPair{1, 1, false}, 4);  // mean 2, variance 4
  const SumOfLosses::Tail upper = sum.upper_tail(0, 6), lower = sum.lower_tail(0, -2);
  EXPECT_NEAR(upper.log, -2, 1e-4);
  EXPECT_NEAR(upper.shift, 1, 0.05);
  EXPECT_NEAR(lower.log, -2, 1e-4);
  EXPECT_LT(lower.shift, 0);
  EXPECT_EQ(sum.upper_tail(0, sum.largest()).log, -INFINITY);
  EXPECT_EQ(sum.lower_tail(0, sum.smallest()).log, -INFINITY);
}

TEST(SumOfLosses, ExtremesOfLaplaceNoiseAddUp) {
  SumOfLosses sum = sum_of(LaplacePair{2, 1}, 3);
  sum.add(LaplacePair{1, 1}, Direction::remove, 2, kLeast);
  EXPECT_NEAR(sum.largest(), 3 * 0.5 + 2 * 1, 1e-12);
  EXPECT_NEAR(sum.smallest(), -3.5, 1e-12);
  EXPECT_NEAR(sum.spread(), 2, 1e-12);
  EXPECT_EQ(sum.infinite(), 0);
}

TEST(SumOfLosses, RarePointsCountAsInfiniteLosses) {
  // Losses +-3 of P-probability 0.75 and 0.25; the latter is below the least.
  const DiscretePair pair{{{3, std::log(0.75) - 3}, {-3, std::log(0.25) + 3}}, 0, 1};
  SumOfLosses sum;
  sum.add(pair, Direction::remove, 2, 0.5);
  EXPECT_NEAR(sum.infinite(), 1 - 0.75 * 0.75, 1e-14);
  EXPECT_EQ(sum.points(), 1u);
  EXPECT_NEAR(sum.delta_of_largest(2.5), 2 * 0.75 * -std::expm1(-0.5), 1e-12);
}

TEST(SumOfLosses, StridesGrowAwayFromTheBulk) {
  const SumOfLosses sum = sum_of(GaussianPair{1, 0.1, false}, 1000);
  const auto strides = sum.strides(0, 1, 1e-4);
  ASSERT_GE(strides.size(), 2u);
  std::int64_t least = strides[0].stride, most = least;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    EXPECT_TRUE(i == 0 || strides[i].from > strides[i - 1].from);
    least = std::min(least, strides[i].stride);
    most = std::max(most, strides[i].stride);
  }
  EXPECT_EQ(least, 1);
  EXPECT_GT(most, 1);
}

}  // namespace
}  // namespace tulle::account
