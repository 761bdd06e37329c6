#include "noise/bulk.hpp"

#include <tulle/privacy/noise/random_bits.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace tulle {
namespace {

constexpr std::size_t kHalf = bulk::kTile / 2;

std::vector<double> normal_of(const std::vector<std::uint64_t>& words, double scale) {
  std::vector<double> values(bulk::kTile);
  bulk::normal_tile(words.data(), scale, values.data());
  return values;
}

// Four angles a quarter turn apart, radius 1: u = e^(-1/2) up to the rounding of its word.
TEST(Bulk, NormalsTurnByQuarters) {
  std::vector<std::uint64_t> words(bulk::kTile, static_cast<std::uint64_t>(std::exp(-0.5) * 0x1p64));
  for (std::size_t i = 0; i < 4; ++i) words[kHalf + i] = std::uint64_t{i} << 62;
  const std::vector<double> values = normal_of(words, 3);
  const double cosines[] = {3, 0, -3, 0}, sines[] = {0, 3, 0, -3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(values[i], cosines[i], 1e-14);
    EXPECT_NEAR(values[kHalf + i], sines[i], 1e-14);
  }
}

// The smallest and the largest word are finite: u is never 0 and -ln u never negative.
TEST(Bulk, TheEndsOfTheRangeAreFinite) {
  std::vector<std::uint64_t> words(bulk::kTile, 0);
  words[1] = ~std::uint64_t{0};
  const std::vector<double> normal = normal_of(words, 1);
  EXPECT_NEAR(normal[0], std::sqrt(2 * 65 * std::numbers::ln2), 1e-13);
  EXPECT_EQ(normal[1], 0);
  words[2] = 1;
  std::vector<double> laplace(bulk::kTile);
  bulk::laplace_tile(words.data(), 2, laplace.data());
  EXPECT_NEAR(laplace[0], 2 * 64 * std::numbers::ln2, 1e-12);
  EXPECT_NEAR(laplace[2], -2 * 64 * std::numbers::ln2, 1e-12);  // the lowest bit is the sign
  EXPECT_EQ(std::abs(laplace[1]), 0);
}

// The definitions in long double on the same words; the error is promised to be below 2^-47 of the radius.
TEST(Bulk, FollowsTheDefinitionsToTheLastBits) {
  auto bits = RandomBits::seeded(17);
  std::vector<std::uint64_t> words(bulk::kTile);
  std::vector<double> laplace(bulk::kTile);
  for (int repeat = 0; repeat < 16; ++repeat) {
    bits.fill(words);
    const std::vector<double> normal = normal_of(words, 1);
    bulk::laplace_tile(words.data(), 1, laplace.data());
    for (std::size_t i = 0; i < kHalf; ++i) {
      const long double u = (static_cast<double>(words[i]) + 0.5) * 0x1p-64L;
      const long double angle =
          2 * std::numbers::pi_v<long double> * static_cast<long double>(words[kHalf + i]) * 0x1p-64L;
      const auto radius = static_cast<double>(std::sqrt(-2 * std::log(u)));
      EXPECT_NEAR(normal[i], radius * static_cast<double>(std::cos(angle)), 0x1p-47 * radius);
      EXPECT_NEAR(normal[kHalf + i], radius * static_cast<double>(std::sin(angle)), 0x1p-47 * radius);
      const long double v = (static_cast<double>(words[i] >> 1) + 0.5) * 0x1p-63L;
      const auto expected = static_cast<double>((words[i] & 1) != 0 ? std::log(v) : -std::log(v));
      EXPECT_NEAR(laplace[i], expected, 0x1p-47 * std::fabs(expected));
    }
  }
}

}  // namespace
}  // namespace tulle
