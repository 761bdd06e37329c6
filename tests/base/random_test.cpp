#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace tulle {
namespace {

TEST(Random, SameSeedSameNumbers) {
  Random a(7), b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(Random, StreamsDiffer) {
  Random a(7, 0), b(7, 1), c(8, 0);
  const auto first = a.bits();
  EXPECT_NE(first, b.bits());
  EXPECT_NE(first, c.bits());
}

// xoshiro256++ on the state that SplitMix64 makes of seed 0; both from their authors' reference code.
TEST(Random, ReferenceValue) {
  Random random(0);
  EXPECT_EQ(random.bits(), 0x53175d61490b23dfULL);
}

// Means of n draws, 6 standard errors wide: false alarm below 1e-8 each, and the seed is fixed.
TEST(Random, Moments) {
  Random random(1);
  const int n = 1'000'000;
  double uniform = 0, normal = 0, square = 0;
  for (int i = 0; i < n; ++i) {
    uniform += random.uniform();
    const double z = random.normal();
    normal += z;
    square += z * z;
  }
  EXPECT_NEAR(uniform / n, 0.5, 6 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(normal / n, 0, 6 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 6 * std::sqrt(2.0 / n));
}

TEST(Random, BelowStaysBelowAndReachesAll) {
  Random random(2);
  std::vector<int> seen(7);
  for (int i = 0; i < 10'000; ++i) ++seen.at(random.below(7));
  for (int count : seen) EXPECT_NEAR(count, 10'000 / 7.0, 6 * std::sqrt(10'000 / 7.0));
}

TEST(Random, ShuffleKeepsTheItems) {
  Random random(3);
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  auto shuffled = items;
  random.shuffle(std::span(shuffled));
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

}  // namespace
}  // namespace tulle
