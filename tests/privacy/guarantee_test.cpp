#include <tulle/privacy/guarantee.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace tulle {
namespace {

TEST(RoundedUp, NeverShowsLessThanTheCost) {
  EXPECT_EQ(rounded_up(1), "1");
  EXPECT_EQ(rounded_up(0), "0");
  EXPECT_EQ(rounded_up(1.0000049), "1.00001");
  EXPECT_EQ(rounded_up(123456.4), "123457");
  EXPECT_EQ(rounded_up(0.00010000049), "0.000100001");
  EXPECT_EQ(rounded_up(0.9999999), "1");
  EXPECT_EQ(rounded_up(std::numeric_limits<double>::infinity()), "inf");
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-307, 300);
  for (int i = 0; i < 10'000; ++i) {
    const double cost = std::pow(10.0, exponent(random));
    const double shown = std::strtod(rounded_up(cost).c_str(), nullptr);
    EXPECT_GE(shown, cost);
    EXPECT_LE(shown, cost * (1 + 1.01e-5));
  }
}

// The smallest delta that an accountant answers: in six digits it would lie below all normal numbers.
TEST(RoundedUp, TakesTheSmallestNumbers) {
  const double least = std::numeric_limits<double>::min();
  EXPECT_GE(std::strtod(rounded_up(least).c_str(), nullptr), least);
}

}  // namespace
}  // namespace tulle
