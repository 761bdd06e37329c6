#include "release/residual_window.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tulle {
namespace {

// Counts of a normal residual of deviation `spread`, relative to the range, in bins of sqrt(2).
std::vector<double> normal_counts(double spread, double entries) {
  std::vector<double> counts(21);
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const double far = bin == 0 ? 1e9 : std::pow(2, -0.5 * static_cast<double>(bin));
    const double near = bin + 1 == counts.size() ? 0 : std::pow(2, -0.5 * static_cast<double>(bin + 1));
    counts[bin] = entries * (std::erf(far / spread / std::sqrt(2)) - std::erf(near / spread / std::sqrt(2)));
  }
  return counts;
}

TEST(ResidualWindow, FollowsTheSpread) {
  for (double spread : {0.01, 0.03, 0.1}) {
    const double half = best_half_width(normal_counts(spread, 1e6), 1);
    EXPECT_GT(half, 1.5 * spread);
    EXPECT_LT(half, 2.5 * spread);
  }
}

TEST(ResidualWindow, IsWiderWhereNoiseIsSmall) {
  const auto counts = normal_counts(0.03, 1e6);
  EXPECT_GT(best_half_width(counts, 0.01), best_half_width(counts, 1));
}

// Most entries close, one in a hundred far: what the far ones carry must not be cut off.
TEST(ResidualWindow, StaysWideForHeavyTails) {
  auto counts = normal_counts(0.01, 1e6);
  counts[1] += 1e4;
  EXPECT_GT(best_half_width(counts, 1), 0.4);
}

TEST(ResidualWindow, KnowsNothingOfNoEntries) {
  EXPECT_EQ(best_half_width(std::vector<double>(21), 1), 0.5);
}

Noisy exactly(std::vector<double> counts, double deviation) {
  return {std::move(counts), deviation};
}

TEST(ResidualWindow, HoldsNearlyAllEntries) {
  for (const double spread : {0.01, 0.05}) {
    const TailWindow window = tail_window(exactly(normal_counts(spread, 1e6), 10), 1e6);
    EXPECT_GT(window.half, 2.3 * spread);  // of a normal residual, 2 % lie farther out
    EXPECT_LT(window.half, 2.3 * std::numbers::sqrt2 * spread);
    EXPECT_NEAR(std::sqrt(window.mean_square), spread, 0.1 * spread);
  }
}

TEST(ResidualWindow, IsTheRangeWhereNoiseHidesTheTails) {
  EXPECT_EQ(tail_window(exactly(normal_counts(0.02, 1000), 1000), 1000).half, 0.5);
}

// One in a hundred far out: few, but most of the squared distance.
TEST(ResidualWindow, KeepsHeavyTails) {
  auto counts = normal_counts(0.01, 1e6);
  counts[1] += 1e4;
  EXPECT_EQ(tail_window(exactly(counts, 10), 1e6).half, 0.5);
}

}  // namespace
}  // namespace tulle
