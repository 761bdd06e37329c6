#include "draw_units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

TEST(DrawUnits, AreInOrderAndTheSameForASeed) {
  RandomBits bits = RandomBits::seeded(3), same = RandomBits::seeded(3);
  const std::vector<std::uint64_t> units = draw_units(PoissonSampler(0.1), 300'000, bits);
  EXPECT_TRUE(std::ranges::is_sorted(units));
  EXPECT_EQ(std::ranges::adjacent_find(units), units.end());
  EXPECT_LT(units.back(), 300'000u);
  EXPECT_EQ(draw_units(PoissonSampler(0.1), 300'000, same), units);
}

// Each half of the units is binomial; 5.3 deviations are exceeded with probability 1e-7.
TEST(DrawUnits, JoinAtTheRateEverywhere) {
  constexpr std::uint64_t kUnits = 400'000;
  RandomBits bits = RandomBits::seeded(4);
  const std::vector<std::uint64_t> units = draw_units(PoissonSampler(0.1), kUnits, bits);
  const auto half = static_cast<double>(std::ranges::lower_bound(units, kUnits / 2) - units.begin());
  const double expected = 0.1 * kUnits / 2, deviation = std::sqrt(expected * 0.9);
  EXPECT_NEAR(half, expected, 5.3 * deviation);
  EXPECT_NEAR(static_cast<double>(units.size()) - half, expected, 5.3 * deviation);
}

TEST(DrawUnits, AllJoinAtRateOneAndNobodyOfNone) {
  RandomBits bits = RandomBits::seeded(5);
  EXPECT_EQ(draw_units(PoissonSampler(1), 70'000, bits).size(), 70'000u);
  EXPECT_TRUE(draw_units(PoissonSampler(0.5), 0, bits).empty());
}

}  // namespace
}  // namespace tulle
