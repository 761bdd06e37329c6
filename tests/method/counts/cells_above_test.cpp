#include "counts/cells_above.hpp"

#include <tulle/base/random.hpp>
#include <tulle/privacy/noise/above.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// A million cells, of which 300 have 30 events and 100,000 have one; noise of scale 2 and a threshold of 14:
// about 550 cells without events reach it.
struct MadeCells {
  static constexpr std::uint64_t kCells = 1'000'000;
  ThresholdedCells table{kCells, 7.8, 14};
  ListedValues above;

  MadeCells() {
    ListedValues exact;
    for (std::uint64_t place = 0; place < 100'300; ++place) {
      exact.places.push_back(9 * place);
      exact.values.push_back(place < 300 ? 30 : 1);
    }
    auto bits = RandomBits::seeded(4);
    above = release_above(exact, kCells, DiscreteLaplace::with_scale(Rational(2)), 14, bits);
  }
};

TEST(CellsAbove, FewOfManyThatBarelyReachTheThresholdHaveEvents) {
  const MadeCells made;
  const PosteriorCounts found = posterior_above(made.above.values, made.table, 109'000);
  double low = 0, lows = 0, high = 0, highs = 0;
  for (std::size_t i = 0; i < found.means.size(); ++i) {
    EXPECT_GE(found.means[i], 0);
    EXPECT_GE(found.variances[i], 0);
    const bool has_30 = made.above.places[i] < 2700;
    if (made.above.values[i] == 14) low += found.means[i], ++lows;
    if (has_30) high += found.means[i], ++highs;
  }
  EXPECT_LT(low / lows, 2);  // not 14
  EXPECT_NEAR(high / highs, 30, 1);
}

// Noise of standard deviation 2.8 at 10^6 says all there is to say.
TEST(CellsAbove, FarAboveTheThresholdNothingChanges) {
  const std::vector<double> noisy = {15, 1e6};
  const PosteriorCounts found = posterior_above(noisy, {1e6, 7.8, 14}, 1e6);
  EXPECT_EQ(found.means[1], 1e6);
  EXPECT_EQ(found.variances[1], 7.8);
}

TEST(CellsAbove, WithoutNoiseValuesAreCounts) {
  const std::vector<double> noisy = {1, 7};
  EXPECT_EQ(posterior_above(noisy, {1e6, 0, 1}, 8).means, noisy);
}

TEST(CellsAbove, NothingAndTooManyStayFinite) {
  EXPECT_TRUE(posterior_above({}, {1e6, 7.8, 14}, 0).means.empty());
  const std::vector<double> noisy(10, 3);
  for (const double mean : posterior_above(noisy, {10, 1e12, 1}, 1e9).means) EXPECT_TRUE(std::isfinite(mean));
}

}  // namespace
}  // namespace tulle
