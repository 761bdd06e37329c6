#include "account/single.hpp"

#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::account {
namespace {

// Delta by its definition on the quadrature points of the pair.
double by_points(const Pair& pair, Direction direction, double epsilon) {
  const LossPoints loss = loss_points(pair, direction, 0);
  double sum = loss.infinite;
  for (const LossPoint& point : loss.points)
    sum += std::exp(point.log_p) * std::max(0.0, -std::expm1(epsilon - point.loss));
  return sum;
}

TEST(DeltaOfOne, OfGaussianNoiseIsThatOfGdp) {
  for (const double epsilon : {0.0, 0.5, 2.0})
    EXPECT_NEAR(delta_of_one(GaussianPair{2, 1, false}, Direction::remove, epsilon),
                gaussian_delta_upper(0.5, epsilon), 1e-10 * gaussian_delta_upper(0.5, epsilon));
}

// 1 - e^((epsilon - 1/b) / 2) below 1/b, and nothing above.
TEST(DeltaOfOne, OfLaplaceNoiseIsTheClosedForm) {
  EXPECT_NEAR(delta_of_one(LaplacePair{1, 1}, Direction::remove, 0.4), -std::expm1(-0.3), 1e-11);
  EXPECT_EQ(delta_of_one(LaplacePair{1, 1}, Direction::remove, 1), 0);
}

// (1 - q) of delta is the infinite loss; the rest that of randomised response.
TEST(DeltaOfOne, OfAnApproximateReleaseAtItsEpsilonIsItsDelta) {
  const auto pair = loss_analysis(Event::approximate(0.5, 0.01), Relation::replace)->pair;
  EXPECT_NEAR(delta_of_one(pair, Direction::remove, 0.5), 0.01, 1e-13);
  EXPECT_NEAR(delta_of_one(pair, Direction::remove, 0), 0.01 + 0.99 * std::tanh(0.25),
              1e-12);  // total variation of randomised response
}

// Sums over quadrature points cross the kink of (1 - e^(epsilon - L))+ inside a panel, hence 5e-3.
TEST(DeltaOfOne, OfSampledNoiseAgreesWithTheDefinition) {
  for (const Pair& pair :
       {Pair(GaussianPair{0.9, 0.2, false}), Pair(GaussianPair{0.9, 0.2, true}), Pair(LaplacePair{0.8, 0.3})})
    for (const Direction direction : {Direction::remove, Direction::add})
      for (const double epsilon : {0.0, 0.05, 0.15}) {
        const double expected = by_points(pair, direction, epsilon);
        EXPECT_NEAR(delta_of_one(pair, direction, epsilon), expected, 5e-3 * expected);
      }
}

TEST(DeltaOfOne, IsOneWhereNoLossIsKnown) {
  EXPECT_EQ(delta_of_one(WithoutReplacement{1, 0.1}, Direction::remove, 5), 1);
  EXPECT_EQ(delta_of_one(Concentrated{1}, Direction::remove, 5), 1);
}

}  // namespace
}  // namespace tulle::account
