#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/bernoulli.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

template <class Coin>
void expect_probability(Coin coin, double probability, int throws = 200'000) {
  double heads = 0;
  for (int i = 0; i < throws; ++i) heads += coin() ? 1 : 0;
  EXPECT_NEAR(heads / throws, probability, 6 * std::sqrt(probability * (1 - probability) / throws) + 1e-15);
}

TEST(Bernoulli, HasItsProbability) {
  auto bits = RandomBits::seeded(11);
  for (const auto& [p, q] : {std::pair{1, 2}, {1, 3}, {2, 3}, {1, 1000}, {999, 1000}, {1, 1}})
    expect_probability([&, p = p, q = q] { return bernoulli(bits, Rational(p, q)); },
                       static_cast<double>(p) / q);
}

TEST(BernoulliExp, HasItsProbability) {
  auto bits = RandomBits::seeded(12);
  for (const auto& [p, q] : {std::pair{1, 1000}, {1, 3}, {1, 2}, {1, 1}, {3, 2}, {7, 3}, {5, 1}, {12, 1}})
    expect_probability([&, p = p, q = q] { return bernoulli_exp(bits, Rational(p, q)); },
                       std::exp(-static_cast<double>(p) / q));
  const auto limit = Rational::kLimit;
  expect_probability([&] { return bernoulli_exp(bits, Rational(limit - 1, limit)); }, std::exp(-1.0));
}

TEST(BernoulliSign, IsUnbiased) {
  auto bits = RandomBits::seeded(13);
  for (const double x : {-1.0, -0.9, -1e-3, 0.0, 0.1, 0.5, 0.7, 1.0})
    expect_probability([&] { return bernoulli_sign(bits, x); }, (1 + x) / 2);
}

TEST(UniformBelow, IsUniform) {
  auto bits = RandomBits::seeded(14);
  for (const std::uint64_t bound : {1, 2, 3, 7, 64, 100}) {
    std::vector<std::int64_t> samples(100'000);
    for (auto& sample : samples) sample = static_cast<std::int64_t>(uniform_below(bits, bound));
    testing::expect_frequencies(
        samples, [&](std::int64_t k) { return k < static_cast<std::int64_t>(bound) ? 1.0 / bound : 0; });
  }
  // Three quarters of all words: the worst bound for a method that takes remainders.
  const std::uint64_t bound = 0xc000000000000000;
  expect_probability([&] { return uniform_below(bits, bound) < bound / 2; }, 0.5);
}

TEST(Bernoulli, RefusesWhatIsNoProbability) {
  auto bits = RandomBits::seeded(1);
  EXPECT_THAT([&] { bernoulli(bits, Rational(3, 2)); },
              ThrowsMessage<UsageError>(HasSubstr("coin: probability 3/2 must be at most 1")));
  EXPECT_THAT([&] { bernoulli_sign(bits, 1.5); },
              ThrowsMessage<UsageError>(HasSubstr("coin: x 1.5 must be between -1 and 1")));
  EXPECT_THAT([&] { uniform_below(bits, 0); },
              ThrowsMessage<UsageError>(HasSubstr("bound 0 must be positive")));
}

}  // namespace
}  // namespace tulle
