#include "exact_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

TEST(ExactRatio, IsTheDistanceInTheNormOfTheSensitivity) {
  const auto l1 = AdditiveNoise::laplace(Sensitivity::l1(10, Unit::entry, Relation::replace), 0.5, 2);
  const auto l2 = AdditiveNoise::gaussian(Sensitivity::l2(10, Unit::entry, Relation::replace), 20, 2);
  const auto one =
      AdditiveNoise::staircase(Sensitivity::one_coordinate(10, Unit::entry, Relation::replace), 0.5, 2);
  const auto three =
      AdditiveNoise::staircase(Sensitivity::coordinates(10, 2, Unit::entry, Relation::replace), 0.5, 3);
  EXPECT_DOUBLE_EQ(exact_ratio(l1, {1, 2}, {4, -2}), 0.7);
  EXPECT_DOUBLE_EQ(exact_ratio(l2, {1, 2}, {4, -2}), 0.5);
  EXPECT_DOUBLE_EQ(exact_ratio(one, {0, 0}, {10, -10}), 2);  // only one may change
  EXPECT_DOUBLE_EQ(exact_ratio(three, {0, 0, 0}, {5, 4, 0}), 0.5);
  EXPECT_DOUBLE_EQ(exact_ratio(three, {0, 0, 0}, {5, 4, 1}), 0.75);  // three change, two may
  EXPECT_EQ(exact_ratio(l1, {1, 2}, {1, 2}), 0);
}

// Two changes at once where a unit is replaced in a sample: twice the contribution.
TEST(ExactRatio, IsRelativeToSeveralSensitivities) {
  const auto noise = AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::entry, Relation::replace), 20, 1);
  EXPECT_DOUBLE_EQ(exact_ratio(noise, {0}, {2}, 2), 1);
}

// Never above the true ratio, and above 1 when that is by one unit in the last place.
TEST(ExactRatio, SeesTheLastBit) {
  const auto noise = AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::entry, Relation::replace), 20, 2);
  EXPECT_LE(exact_ratio(noise, {0, 0}, {1, 0}), 1);
  EXPECT_GT(exact_ratio(noise, {0, 0}, {std::nextafter(1, 2), 0}), 1);
}

}  // namespace
}  // namespace tulle
