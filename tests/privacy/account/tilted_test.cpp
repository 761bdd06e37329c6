#include "account/tilted.hpp"

#include "privacy/account/composed_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::account {
namespace {

constexpr double kCount = 10;

TiltedLosses gaussian_losses(double mu, double epsilon) {
  const Pair pair = GaussianPair{std::sqrt(kCount) / mu, 1, false};
  return TiltedLosses({{pair, kCount}}, Direction::remove, testing::gaussian_plan(mu, kCount, epsilon, 4096));
}

// Tilted, the mean of the sum is the epsilon in question, and its variance is mu^2.
TEST(TiltedLosses, AreCentredAtEpsilon) {
  const TiltedLosses losses = gaussian_losses(1, 3);
  ASSERT_EQ(losses.parts.size(), 1u);
  const TiltedLoss& part = losses.parts[0];
  double sum = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < part.mass.size(); ++i) {
    const double loss = losses.width * static_cast<double>(part.index[i]);
    sum += part.mass[i];
    mean += part.mass[i] * loss;
    square += part.mass[i] * loss * loss;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(kCount * mean, 3, 1e-3);
  EXPECT_NEAR(kCount * (square - mean * mean), 1, 1e-2);
  EXPECT_EQ(losses.count, kCount);
}

// log_scale is the cumulant function of the sum: mu^2 theta (1 + theta) / 2 for Gaussian noise.
TEST(TiltedLosses, ScaleIsTheCumulantFunction) {
  const TiltedLosses losses = gaussian_losses(1, 3);
  EXPECT_NEAR(losses.log_scale, 2.5 * 3.5 / 2, 1e-3);
  EXPECT_LT(losses.growth, 1e-10);
  EXPECT_LE(losses.infinite, kCount * 1e-18);
}

// Chernoff's bound holds, and is below e^(-d^2 / 2) times a little at a distance of d standard deviations.
TEST(TiltedLosses, BoundsTheProbabilityAbove) {
  const TiltedLosses losses = gaussian_losses(1, 3);
  const double top = 6.5, exact = 0.5 * std::erfc(6.0 / std::sqrt(2.0));  // mean 1/2, deviation 1
  const double bound = losses.above(top, top / losses.width);
  EXPECT_GT(bound, exact);
  EXPECT_LT(bound, 1);
  EXPECT_EQ(losses.above(1e6, 1e9), 0);  // above the largest sum there is
}

TEST(TiltedLosses, InfiniteLossesSurviveNoRelease) {
  const auto pair = loss_analysis(Event::approximate(0.5, 0.1), Relation::replace)->pair;
  const Plan plan{1, 0.5, 1, 64, 1e-18, 1, 1, {{}}};
  const TiltedLosses losses({{pair, 3}}, Direction::remove, plan);
  EXPECT_NEAR(losses.infinite, 1 - 0.9 * 0.9 * 0.9, 1e-14);
}

}  // namespace
}  // namespace tulle::account
