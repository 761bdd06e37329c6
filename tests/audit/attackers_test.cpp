#include "attackers.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::attacks {
namespace {

struct Lessons {
  std::vector<std::uint8_t> bits;
  View view;
  Part all;
};

template <class Row>
Lessons lessons(std::size_t count, const Row& row) {
  Random random(1);
  std::vector<std::vector<double>> rows;
  Lessons result;
  for (std::size_t i = 0; i < count; ++i) {
    result.bits.push_back(random.chance(0.5) ? 1 : 0);
    rows.push_back(row(result.bits.back(), random));
  }
  result.view = View(rows);
  result.all = {0, count};
  return result;
}

// Share of trials in which the sign of the score says the bit.
double right(const Score& score, const Lessons& from) {
  double count = 0;
  for (std::size_t i = 0; i < from.bits.size(); ++i)
    count += (score(from.view.row(i)) > 0) == (from.bits[i] == 1);
  return count / static_cast<double>(from.bits.size());
}

// Noise that two numbers share is subtracted, however large.
TEST(LinearAttacker, FindsACombinationWithoutNoise) {
  const Lessons from = lessons(500, [](int bit, Random& random) {
    const double noise = 1000 * random.normal();
    return std::vector{noise + bit, noise, random.normal()};
  });
  EXPECT_EQ(right(learn_linear(from.view, from.bits, from.all), from), 1);
}

// Means 1 apart at standard deviation 1: the best rule is right with probability Phi(1/2) = 0.69.
TEST(LinearAttacker, IsAsGoodAsTheBestRuleForNormals) {
  const Lessons from = lessons(20'000, [](int bit, Random& random) {
    return std::vector{bit + random.normal(), random.normal()};
  });
  EXPECT_NEAR(right(learn_linear(from.view, from.bits, {0, 10'000}), from), 0.6915, 0.02);
}

// Equal means: only the spread, or a product of two numbers, tells.
TEST(ShapeAttacker, SeesSpreadsAndProducts) {
  const Lessons wide =
      lessons(4000, [](int bit, Random& random) { return std::vector{(1 + 9 * bit) * random.normal()}; });
  EXPECT_GT(right(learn_shape(wide.view, wide.bits, wide.all), wide), 0.8);
  EXPECT_LT(right(learn_linear(wide.view, wide.bits, wide.all), wide), 0.6);
  const Lessons product = lessons(4000, [](int bit, Random& random) {
    const double x = random.normal();
    return std::vector{x, (bit == 1 ? x : -x) + 0.1 * random.normal()};
  });
  EXPECT_GT(right(learn_shape(product.view, product.bits, product.all), product), 0.9);
}

// Multiples of 2^-3 against multiples of 2^-4 that are odd: nothing but the lowest bit differs.
TEST(LowBitsAttacker, ReadsTheLowestBitSet) {
  const Lessons from = lessons(2000, [](int bit, Random& random) {
    const double whole = static_cast<double>(random.below(1000));
    return std::vector{bit == 1 ? whole / 8 + 1.0 / 16 : whole / 8};
  });
  EXPECT_EQ(right(learn_low_bits(from.view, from.bits, from.all), from), 1);
}

// Nothing to learn: on fresh trials, right half of the time within 5 standard deviations (6e-7).
TEST(Attackers, LearnNothingFromNoise) {
  const Lessons from = lessons(20'000, [](int, Random& random) {
    return std::vector{random.normal(), random.normal()};
  });
  for (const auto& learn : {learn_linear, learn_shape, learn_low_bits}) {
    const Score score = learn(from.view, from.bits, {0, 10'000});
    double count = 0;
    for (std::size_t i = 10'000; i < 20'000; ++i)
      count += (score(from.view.row(i)) > 0) == (from.bits[i] == 1);
    EXPECT_NEAR(count, 5000, 250);
  }
}

}  // namespace
}  // namespace tulle::attacks
