#include <tulle/base/multinomial.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace tulle {
namespace {

constexpr int kDraws = 20000;

// A mean of n draws lies more than 5 standard errors off with a probability of 6e-7, and their variance,
// whose standard error is about sqrt(2 / n) of it here, likewise.
TEST(Multinomial, BinomialNumbersHaveTheirMeanAndVariance) {
  Random random(3);
  for (std::uint64_t count : {5u, 16u, 100u, 100000u})
    for (double probability : {0.02, 0.4, 0.97}) {
      double sum = 0, squares = 0;
      const double n = static_cast<double>(count), mean = n * probability,
                   variance = mean * (1 - probability);
      for (int i = 0; i < kDraws; ++i) {
        const double draw = static_cast<double>(draw_binomial(random, count, probability)) - mean;
        sum += draw;
        squares += draw * draw;
      }
      EXPECT_NEAR(sum / kDraws, 0, 5 * std::sqrt(variance / kDraws)) << count << " " << probability;
      const double kurtosis = 3 + (1 - 6 * probability * (1 - probability)) / variance;
      EXPECT_NEAR(squares / kDraws / variance, 1, 5 * std::sqrt((kurtosis - 1) / kDraws))
          << count << " " << probability;
    }
}

TEST(Multinomial, CertainTrialsAreCertain) {
  Random random(4);
  EXPECT_EQ(draw_binomial(random, 1000, 0), 0u);
  EXPECT_EQ(draw_binomial(random, 1000, 1), 1000u);
  EXPECT_EQ(draw_binomial(random, 3, 1), 3u);
}

TEST(Multinomial, EveryPlaceGetsItsShareAndNothingIsLost) {
  Random random(5);
  const std::vector<double> weights = {0.1, 0, 0.6, 0.3};
  for (std::uint64_t count : {1u, 2u, 50u}) {
    std::vector<double> sums(4);
    for (int i = 0; i < kDraws; ++i) draw_multinomial(random, count, weights, sums);
    const double all = kDraws * static_cast<double>(count);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0), all);
    EXPECT_EQ(sums[1], 0);
    for (std::size_t i = 0; i < 4; ++i)  // 5 standard errors, as above
      EXPECT_NEAR(sums[i] / all, weights[i], 5 * std::sqrt(weights[i] * (1 - weights[i]) / all));
  }
}

}  // namespace
}  // namespace tulle
