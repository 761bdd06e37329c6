#include "noise/gaussian_pieces.hpp"

#include "privacy/noise/statistics.hpp"

#include <tulle/privacy/noise/continuous.hpp>
#include <tulle/privacy/noise/rounded.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

TEST(GaussianPieces, EndsAreSumsOfWeights) {
  const GaussianPieces& table = GaussianPieces::table();
  double sum = 0;
  for (std::size_t i = 0; i < GaussianPieces::kPieces; ++i) {
    sum += std::exp(-static_cast<double>(i * i) / 2048) / 41;
    ASSERT_NEAR(static_cast<double>(table.end(i)[0]) * 0x1p-53, sum, 1e-14) << i;
    if (i > 0) {
      ASSERT_LT(table.end(i - 1), table.end(i));
    }
  }
}

// By the theta function, sum over all whole i of exp(-i^2 / 2048) = sqrt(2048 pi) up to exp(-2048 pi^2); the
// digits of (1 + sqrt(2048 pi)) / 82, computed with whole numbers from Machin's formula for pi.
TEST(GaussianPieces, LastEndIsThetaFunctionToThreeHundredDigits) {
  const GaussianPieces::Digits& end = GaussianPieces::table().end(GaussianPieces::kPieces - 1);
  EXPECT_EQ(end[0], 0x1fb1498f8cb9ca);
  EXPECT_EQ(end[1], 0x4857164187a73c94);
  EXPECT_EQ(end[2], 0x1d9d5d11ad77b513);
  EXPECT_EQ(end[3], 0x48a09828a4943d71);
  EXPECT_EQ(end[4], 0x6474500282e5ba38);
}

TEST(GaussianPieces, ChoosesByTheDigits) {
  const GaussianPieces& table = GaussianPieces::table();
  auto bits = RandomBits::seeded(1);
  for (std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{40}, std::size_t{200}}) {
    const std::uint64_t end = table.end(i)[0];
    EXPECT_EQ(table.choose((end - 1) << GaussianPieces::kSpareBits, bits), i);
    EXPECT_EQ(table.choose((end + 1) << GaussianPieces::kSpareBits, bits), i + 1);
    // The same first digits: the others, which are drawn, decide.
    const std::size_t drawn = table.choose(end << GaussianPieces::kSpareBits, bits);
    EXPECT_TRUE(drawn == i || drawn == i + 1) << drawn;
  }
  EXPECT_EQ(table.choose(~std::uint64_t{0}, bits), GaussianPieces::kPieces);
}

TEST(RoundedGaussian, FillFollowsThePmf) {
  const auto noise = RoundedGaussian::with_sigma_at_least(3.7);
  std::vector<std::int64_t> samples(200'000);
  auto bits = RandomBits::seeded(5);
  noise.fill(samples, bits);
  testing::expect_frequencies(samples, [&](std::int64_t k) { return noise.pmf(k); });
}

}  // namespace
}  // namespace tulle
