#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/above.hpp>
#include <tulle/privacy/noise/release.hpp>

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

// What the definition says: noise on every cell, then the threshold.
ListedValues all_cells_above(const ListedValues& exact, std::uint64_t cells, const DiscreteLaplace& noise,
                             std::int64_t threshold, RandomBits& bits) {
  std::vector<std::int64_t> table(cells);
  for (std::size_t i = 0; i < exact.places.size(); ++i)
    table[exact.places[i]] = static_cast<std::int64_t>(exact.values[i]);
  release(table, noise, bits);
  ListedValues above;
  for (std::uint64_t cell = 0; cell < cells; ++cell)
    if (table[cell] >= threshold) {
      above.places.push_back(cell);
      above.values.push_back(static_cast<double>(table[cell]));
    }
  return above;
}

struct Setting {
  Rational scale;
  std::int64_t threshold;
};
// Blocks of 1, 2, 4, 16, 32 and 2,048 cells: with and without a rest of the exponent, below and above a scale
// of 1.
constexpr std::uint64_t kCells = 5000;
const std::array kSettings = {
    Setting{Rational(5), 3},    Setting{Rational(1), 1},  Setting{Rational(2), 5}, Setting{Rational(7, 3), 9},
    Setting{Rational(1, 2), 2}, Setting{Rational(3), 14}, Setting{Rational(1), 8}};

// Every cell of 0 reaches the threshold with its probability p, independently: 100 times 5,000 cells. The
// number of each time is binomial; its mean and its variance, within 6 standard errors (2e-9), whose fourth
// moment is at most that of a Poisson number.
TEST(NoiseAbove, AsManyCellsReachTheThresholdAsInTheTableOfAllCells) {
  constexpr int kTimes = 100;
  for (const Setting& setting : kSettings) {
    const auto noise = DiscreteLaplace::with_scale(setting.scale);
    const double p = noise.cdf(-setting.threshold), mean = p * kCells, variance = mean * (1 - p);
    auto bits = RandomBits::seeded(7);
    std::vector<double> numbers;
    for (int time = 0; time < kTimes; ++time)
      numbers.push_back(
          static_cast<double>(release_above({}, kCells, noise, setting.threshold, bits).places.size()));
    testing::expect_mean(numbers, mean, variance);
    for (double& number : numbers) number -= mean;
    testing::expect_second_moment(numbers, variance, mean + 3 * mean * mean);
  }
}

// Chi-square of places and of values at false-alarm rates below 1e-8.
TEST(NoiseAbove, PlacesAreUniformAndValuesAreThoseOfTheTail) {
  for (const Setting& setting : kSettings) {
    const auto noise = DiscreteLaplace::with_scale(setting.scale);
    auto bits = RandomBits::seeded(8);
    std::vector<std::int64_t> places, values;
    for (int time = 0; time < 100; ++time) {
      const ListedValues above = release_above({}, kCells, noise, setting.threshold, bits);
      ASSERT_TRUE(std::ranges::is_sorted(above.places));
      ASSERT_EQ(std::ranges::adjacent_find(above.places), above.places.end());
      for (const std::uint64_t place : above.places)
        places.push_back(static_cast<std::int64_t>(place / 1000));
      for (const double value : above.values) values.push_back(static_cast<std::int64_t>(value));
    }
    testing::expect_frequencies(places, [](std::int64_t) { return 1000.0 / kCells; });
    const double p = noise.cdf(-setting.threshold);
    testing::expect_frequencies(
        values, [&](std::int64_t k) { return k >= setting.threshold ? noise.pmf(k) / p : 0; });
  }
}

// A table small enough to see every outcome: which of its cells are above, with both samplers. Each is
// compared with the product of the probabilities of its cells.
TEST(NoiseAbove, AllCellsOfASmallTableTogetherAreAsInTheTableOfAllCells) {
  const ListedValues exact{{1, 4, 6}, {2, 5, 0}};
  constexpr std::uint64_t kFew = 7;
  const std::array<double, kFew> table = {0, 2, 0, 0, 5, 0, 0};
  for (const Setting& setting : kSettings) {
    const auto noise = DiscreteLaplace::with_scale(setting.scale);
    const auto expected = [&](std::int64_t outcome) {
      double chance = 1;
      for (std::size_t cell = 0; cell < kFew; ++cell) {
        const double below = noise.cdf(setting.threshold - 1 - static_cast<std::int64_t>(table[cell]));
        chance *= (outcome >> cell & 1) != 0 ? 1 - below : below;
      }
      return chance;
    };
    for (const auto& sampler : {release_above, all_cells_above}) {
      auto bits = RandomBits::seeded(9);
      std::vector<std::int64_t> outcomes;
      for (int time = 0; time < 4'000; ++time) {
        std::int64_t outcome = 0;
        for (const std::uint64_t place : sampler(exact, kFew, noise, setting.threshold, bits).places)
          outcome |= std::int64_t{1} << place;
        outcomes.push_back(outcome);
      }
      testing::expect_frequencies(outcomes, expected);
    }
  }
}

// 10^12 cells, of which about 4 reach 26 scales: at most 40 but for a probability below 1e-20.
TEST(NoiseAbove, AHugeTableTakesNoTime) {
  auto bits = RandomBits::seeded(10);
  const ListedValues exact{{5, 999'999'999'999}, {1000, 2000}};
  const ListedValues above =
      release_above(exact, 1'000'000'000'000, DiscreteLaplace::with_scale(Rational(1)), 26, bits);
  EXPECT_LE(above.places.size(), 40u);
  EXPECT_EQ(above.places.front(), 5u);
  EXPECT_EQ(above.places.back(), 999'999'999'999u);
  EXPECT_NEAR(above.values.front(), 1000, 40);
}

TEST(NoiseAbove, AThresholdIsAtLeastOne) {
  auto bits = RandomBits::seeded(11);
  EXPECT_THROW(release_above({}, 10, DiscreteLaplace::with_scale(Rational(1)), 0, bits), UsageError);
}

}  // namespace
}  // namespace tulle
