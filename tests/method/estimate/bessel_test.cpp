#include "estimate/bessel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

struct Oracle {
  std::uint64_t v;
  double a;
  std::vector<double> probabilities;
  double mean;
};

// By the series of the modified Bessel functions. Of 200,000 numbers a frequency has a standard deviation of
// 0.00112 at most, 5.3 of which are exceeded with probability 1e-7; so has the mean, with one below 0.0018.
TEST(Bessel, HasTheProbabilitiesOfItsSeries) {
  for (const Oracle& oracle : {Oracle{0, 2, {.438676, .438676, .109669, .012185}, .6977747},
                               Oracle{3, 4, {.399527, .399527, .159811}, .8487616}}) {
    Random random(1);
    constexpr int kDraws = 200'000;
    std::vector<double> seen(20);
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::uint64_t y = draw_bessel(random, oracle.v, oracle.a);
      ASSERT_LT(y, seen.size());
      seen[y] += 1.0 / kDraws;
      sum += static_cast<double>(y);
    }
    for (std::size_t y = 0; y < oracle.probabilities.size(); ++y)
      EXPECT_NEAR(seen[y], oracle.probabilities[y], 0.006) << oracle.v << " " << y;
    EXPECT_NEAR(sum / kDraws, oracle.mean, 0.01);
  }
}

// Probabilities of 0, 1, .. by their ratios.
std::vector<double> series(std::uint64_t v, double a) {
  const double order = static_cast<double>(v);
  std::vector<double> logs = {0};
  for (double y = 1; y < a + 200; ++y) logs.push_back(logs.back() + std::log(a * a / 4 / (y * (y + order))));
  const double largest = *std::ranges::max_element(logs);
  double total = 0;
  for (double& weight : logs) total += weight = std::exp(weight - largest);
  for (double& weight : logs) weight /= total;
  return logs;
}

// Modes below and above the one from which values are proposed and accepted or not. Pearson's statistic of k
// cells of 100 expected numbers or more exceeds k + 2 sqrt(16 k) + 32 with a probability below 2e-7 (Laurent
// and Massart 2000).
TEST(Bessel, HasTheProbabilitiesOfItsSeriesAroundLargeModes) {
  struct Case {
    std::uint64_t v;
    double a;
  };
  for (const auto& [v, a] : {Case{0, 63}, Case{0, 66}, Case{40, 200}, Case{0, 400}, Case{3000, 1000}}) {
    constexpr int kDraws = 100'000;
    const std::vector<double> probabilities = series(v, a);
    std::vector<double> seen(probabilities.size());
    Random random(3);
    for (int i = 0; i < kDraws; ++i) seen.at(draw_bessel(random, v, a)) += 1;
    double statistic = 0, cells = 0, expected = 0, found = 0;
    for (std::size_t y = 0; y < seen.size(); ++y) {
      expected += kDraws * probabilities[y];
      found += seen[y];
      if (expected < 100 && y + 1 < seen.size()) continue;
      if (expected >= 1) statistic += (found - expected) * (found - expected) / expected;
      cells += 1;
      expected = found = 0;
    }
    EXPECT_LT(statistic, cells + 2 * std::sqrt(16 * cells) + 32) << v << " " << a;
    EXPECT_GT(cells, 10);
  }
}

// Far out the mean is near the mode, (sqrt(a^2 + v^2) - v) / 2, and the variance near a / 4.
TEST(Bessel, ReachesLargeValues) {
  Random random(2);
  for (const double a : {1e3, 1e5, 1e12}) {
    double sum = 0;
    for (int i = 0; i < 200; ++i) sum += static_cast<double>(draw_bessel(random, 0, a)) / 200;
    EXPECT_NEAR(sum, a / 2, 5.3 * std::sqrt(a / 4 / 200) + 1) << a;
  }
  EXPECT_EQ(draw_bessel(random, 7, 0), 0u);
}

}  // namespace
}  // namespace tulle
