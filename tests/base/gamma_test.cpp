#include <tulle/base/gamma.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

TEST(Gamma, DigammaAndTrigammaHaveKnownValues) {
  EXPECT_NEAR(digamma(1), -0.57721566490153286, 1e-14);
  EXPECT_NEAR(digamma(0.5), -0.57721566490153286 - 2 * std::log(2), 1e-14);
  EXPECT_NEAR(digamma(100), 4.6001618527380874, 1e-13);
  EXPECT_NEAR(trigamma(1), M_PI * M_PI / 6, 1e-14);
  EXPECT_NEAR(trigamma(0.5), M_PI * M_PI / 2, 1e-13);
}

TEST(Gamma, LogarithmsAreThoseOfFactorials) {
  EXPECT_EQ(log_gamma(1), 0);
  EXPECT_NEAR(log_gamma(6), std::log(120), 1e-14);
  EXPECT_NEAR(log_gamma(0.5), std::log(M_PI) / 2, 1e-14);
}

TEST(Gamma, TheyAreDerivatives) {
  for (double x : {0.01, 0.3, 2.0, 11.9, 12.1, 500.0}) {
    const double h = 1e-5 * x;
    EXPECT_NEAR(digamma(x), (std::lgamma(x + h) - std::lgamma(x - h)) / (2 * h), 1e-6 * (1 + 1 / x));
    EXPECT_NEAR(trigamma(x) / ((digamma(x + h) - digamma(x - h)) / (2 * h)), 1, 1e-6);
  }
}

// Means of 40,000 numbers: six standard deviations, 2e-9 for each of the six comparisons.
TEST(Gamma, DrawsHaveTheMeanAndVarianceOfTheDistribution) {
  constexpr int kDraws = 40'000;
  for (double shape : {0.3, 1.0, 7.5}) {
    Random random(9);
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double value = draw_gamma(random, shape);
      sum += value, squares += (value - shape) * (value - shape);
    }
    EXPECT_NEAR(sum / kDraws, shape, 6 * std::sqrt(shape / kDraws));
    // The fourth central moment is 3 shape^2 + 6 shape.
    EXPECT_NEAR(squares / kDraws, shape, 6 * std::sqrt((2 * shape * shape + 6 * shape) / kDraws));
  }
}

}  // namespace
}  // namespace tulle
