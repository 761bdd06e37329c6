#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/posterior_draw.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// ln of the posterior by its definition: a uniform prior on theta = k / n, entries Normal of precision p.
double log_posterior(const std::vector<double>& entries, double k, double precision) {
  double squares = 0;
  for (double entry : entries) squares += std::pow(entry - k / static_cast<double>(entries.size()), 2);
  return -precision / 2 * squares;
}

// Precision epsilon / width^2, width 2 half.
TEST(PosteriorDraw, IsThePosteriorOfTheMean) {
  const std::vector<double> entries = {-4, 1, 2, 4, 4};
  const std::array<std::uint64_t, 1> terms = {5};
  const double epsilon = 3;
  const auto draw = PosteriorDraw::of_sums(epsilon, 4, terms);
  EXPECT_EQ(draw.limit(0), 20);
  double total = 0, sum = 0;
  for (int k = -20; k <= 20; ++k) total += std::exp(log_posterior(entries, k, epsilon / 64));
  for (int k = -20; k <= 20; ++k) {
    EXPECT_NEAR(draw.pmf(0, k, 7), std::exp(log_posterior(entries, k, epsilon / 64)) / total, 1e-11);
    EXPECT_NEAR(std::log(draw.pmf(0, k, 7) / draw.pmf(0, 0, 7)),
                draw.log_likelihood(0, k, 7) - draw.log_likelihood(0, 0, 7), 1e-11);
    sum += draw.pmf(0, k, 7);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_EQ(draw.pmf(0, 21, 7), 0);
}

double loss(const PosteriorDraw& draw, std::int64_t k, std::int64_t sum, std::int64_t other) {
  return std::abs(
      std::log(draw.pmf(0, k, static_cast<double>(sum)) / draw.pmf(0, k, static_cast<double>(other))));
}

// Over all outcomes and all sums that one replaced term leads to. One term alone costs half, by symmetry.
TEST(PosteriorDraw, CostsEpsilonAtMost) {
  for (const double epsilon : {0.1, 1.0, 4.0})
    for (const std::uint64_t count : {1, 2, 7}) {
      const auto draw = PosteriorDraw::of_sums(epsilon, 8, std::array{count});
      const std::int64_t limit = draw.limit(0);
      double largest = 0;
      for (std::int64_t sum = -limit; sum <= limit; ++sum)
        for (std::int64_t other = sum; other <= std::min(limit, sum + 16); ++other)
          for (std::int64_t k = -limit; k <= limit; ++k)
            largest = std::max(largest, loss(draw, k, sum, other));
      EXPECT_LE(largest, epsilon * (1 + 1e-12));
      EXPECT_GT(largest, epsilon * 0.49);
    }
}

// All terms at the lower end but one, and a draw at the upper end.
TEST(PosteriorDraw, CostsAlmostEpsilon) {
  const auto draw = PosteriorDraw::of_sums(4, 8, std::array<std::uint64_t, 1>{50});
  EXPECT_GT(loss(draw, draw.limit(0), -draw.limit(0), -draw.limit(0) + 16), 0.9 * 4);
}

TEST(PosteriorDraw, FollowsItsProbabilities) {
  const std::array<std::uint64_t, 4> terms = {1, 3, 0, 1000};
  const auto draw = PosteriorDraw::of_sums(0.5, 2, terms);
  const std::array sums = {2.0, -1.0, 0.0, 1900.0};
  auto bits = RandomBits::seeded(3);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    std::vector<std::int64_t> drawn(100'000);
    for (std::int64_t& k : drawn) k = draw.sample(i, sums[i], bits);
    testing::expect_frequencies(drawn, [&](std::int64_t k) { return draw.pmf(i, k, sums[i]); });
  }
  EXPECT_EQ(draw.sigma(2), 0);
}

double deviation_of(const PosteriorDraw& draw, std::size_t i, double sum) {
  double mean = 0, square = 0;
  for (std::int64_t k = -draw.limit(i); k <= draw.limit(i); ++k) {
    mean += static_cast<double>(k) * draw.pmf(i, k, sum);
    square += static_cast<double>(k) * static_cast<double>(k) * draw.pmf(i, k, sum);
  }
  return std::sqrt(square - mean * mean);
}

// Within the bounds, and of the sum that has the most: from bounds that hold next to nothing back (sigma is a
// tenth of them) to those that leave all means as likely.
TEST(PosteriorDraw, HasALargestStandardDeviation) {
  for (const double epsilon : {1e-3, 0.1, 1.0, 10.0, 400.0})
    for (const std::uint64_t count : {1, 3, 40}) {
      const auto draw = PosteriorDraw::of_sums(epsilon, 2, std::array{count});
      double largest = 0;
      for (std::int64_t sum = -draw.limit(0); sum <= draw.limit(0); ++sum)
        largest = std::max(largest, deviation_of(draw, 0, static_cast<double>(sum)));
      EXPECT_NEAR(draw.largest_deviation(), largest, 1e-9 * largest) << epsilon << " of " << count;
      EXPECT_LE(draw.largest_deviation(), draw.sigma(0) * (1 + 1e-9));
    }
}

// Too many points to add up one by one: the Normal density between bounds.
TEST(PosteriorDraw, HasALargestStandardDeviationOnFineGrids) {
  for (const double epsilon : {1e-4, 0.5, 20.0}) {
    const auto draw = PosteriorDraw::of_sums(epsilon, 16'384, std::array<std::uint64_t, 2>{1, 4});
    EXPECT_NEAR(draw.largest_deviation(), deviation_of(draw, 1, 0), 1e-6 * draw.largest_deviation());
  }
}

TEST(PosteriorDraw, TakesSumsBeyondTheLimitAsTheLimit) {
  const auto draw = PosteriorDraw::of_sums(1, 2, std::array<std::uint64_t, 1>{3});
  for (std::int64_t k = -6; k <= 6; ++k) EXPECT_EQ(draw.pmf(0, k, 1e9), draw.pmf(0, k, 6));
}

TEST(PosteriorDraw, HasAFinestGrid) {
  for (const double epsilon : {1e-3, 1.0, 100.0})
    for (const std::uint64_t terms : {1u, 1000u, 100'000'000u}) {
      const std::int64_t half = PosteriorDraw::finest_half(epsilon, terms);
      ASSERT_GE(half, 1);
      EXPECT_LE(PosteriorDraw::of_sums(epsilon, half, std::array{terms}).sigma(0), 0x1p26);
      if (half < 1 << 20) {
        EXPECT_THROW(PosteriorDraw::of_sums(epsilon, 2 * half, std::array{terms}), UsageError);
      }
    }
  EXPECT_EQ(PosteriorDraw::finest_half(1e-6, std::uint64_t{1} << 31), 0);
}

TEST(PosteriorDraw, RefusesWhatWouldTakeLong) {
  EXPECT_THAT([] { PosteriorDraw::of_sums(1e-8, 1, std::array<std::uint64_t, 1>{1}); },
              ThrowsMessage<UsageError>(HasSubstr("larger epsilon")));
}

}  // namespace
}  // namespace tulle
