#include "account/rare.hpp"

#include "account/single.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::account {
namespace {

// A few losses with their expected numbers, small enough to sum by hand.
TEST(LossTail, SumsAboveACut) {
  const LossTail tail({{2, 0.5}, {1, 0.25}, {3, 0.125}});
  EXPECT_NEAR(tail.number_above(0), 0.875, 1e-11);
  EXPECT_NEAR(tail.number_above(1), 0.625, 1e-11);  // above, not at
  EXPECT_NEAR(tail.excess(1.5, 0), -0.5 * std::expm1(-0.5) - 0.125 * std::expm1(-1.5), 1e-11);
  EXPECT_NEAR(tail.excess(1.5, 2), -0.125 * std::expm1(-1.5), 1e-11);
  EXPECT_NEAR(tail.excess(5, 0), 0, 1e-11);
}

TEST(LossTail, PairsAreSumsWithHalfTheProductOfNumbers) {
  const LossTail pairs = LossTail({{1, 0.2}, {2, 0.1}}).pairs_above(0.5);
  // Sums 2, 3 (twice) and 4.
  EXPECT_NEAR(pairs.number_above(0), 0.5 * 0.3 * 0.3, 1e-11);
  EXPECT_NEAR(pairs.number_above(3.5), 0.5 * 0.01, 1e-11);
  EXPECT_NEAR(pairs.number_above(2.5), 0.5 * 0.01 + 0.02, 1e-11);
}

// A single release: the bound must be above its exact delta. Where its large losses are rare it is close.
TEST(RareLosses, BoundOneRelease) {
  const Pair pair = GaussianPair{0.4, 1e-6, false};
  for (const double epsilon : {0.01, 0.1, 1.0}) {
    const RareLosses rare({{pair, 1}}, Direction::remove, epsilon, 1e-20);
    const double exact = delta_of_one(pair, Direction::remove, epsilon);
    EXPECT_GE(rare.delta_upper(epsilon), exact);
    EXPECT_LE(rare.delta_upper(epsilon), 1.2 * exact);
  }
}

// Of n releases that are rare together, delta is nearly n times that of one: at most, by a union bound over
// which one is large, plus what the others add to the loss.
TEST(RareLosses, ManyReleasesAddUp) {
  const Pair pair = GaussianPair{0.4, 1e-9, false};
  const double count = 1000, epsilon = 0.5;
  const RareLosses rare({{pair, count}}, Direction::remove, epsilon, 1e-25);
  const double one = delta_of_one(pair, Direction::remove, epsilon);
  EXPECT_GE(rare.delta_upper(epsilon), 0.999 * count * one);
  EXPECT_LE(rare.delta_upper(epsilon), 1.2 * count * one);
}

TEST(RareLosses, AreNoBoundWhereLossesAreUsual) {
  const RareLosses rare({{GaussianPair{1, 1, false}, 100}}, Direction::remove, 1, 1e-20);
  EXPECT_GE(rare.delta_upper(1), 0.99);
}

}  // namespace
}  // namespace tulle::account
