#include "topics/word_shares.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Shares as those of a text: the word of rank r is as common as 1 / r.
Vector zipf(Eigen::Index words, double documents) {
  const Vector shares = Vector::LinSpaced(words, 1, static_cast<double>(words)).cwiseInverse();
  return documents * shares / shares.sum();
}

Release with_laplace_noise(const Vector& sums, double deviation, std::uint64_t seed) {
  Random random(seed);
  Release release{.noise = "Laplace", .values = {sums.begin(), sums.end()}, .deviation = deviation};
  for (double& value : release.values) {
    const double size = -std::log1p(-random.uniform()) * deviation / std::sqrt(2);
    value += random.chance(0.5) ? size : -size;
  }
  return release;
}

double log_loss(const Vector& sums, const Vector& shares) {
  return -(sums.array() * shares.array().log()).sum() / sums.sum();
}

TEST(WordShares, AreADistributionThatExcludesNoWord) {
  for (const double deviation : {0.0, 1.0, 1e4}) {
    const Vector shares = word_shares(with_laplace_noise(zipf(500, 2000), deviation, 1), 2000);
    EXPECT_NEAR(shares.sum(), 1, 1e-12) << deviation;
    EXPECT_GT(shares.minCoeff(), 0) << deviation;
  }
  const Vector nothing = word_shares(Vector::Constant(5, -1), 0, 10);
  EXPECT_TRUE(nothing.isApprox(Vector::Constant(5, 0.2)));
}

TEST(WordShares, AreTheSumsWhereThereIsNoNoise) {
  const Vector sums = zipf(100, 1000);
  EXPECT_TRUE(word_shares(sums, 0, 1000).isApprox(sums / 1000, 1e-9));
}

// The noise is cut off where it alone is rarely above, as one would without a prior; the mean over 20
// releases of each.
TEST(WordShares, LoseLessThanCuttingTheNoiseOff) {
  for (const Eigen::Index words : {50, 2000})
    for (const double deviation : {0.5, 5.0, 50.0}) {
      const Vector sums = zipf(words, 3000);
      double ours = 0, cut = 0;
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Release released = with_laplace_noise(sums, deviation, seed);
        const Eigen::Map<const Vector> noisy(released.values.data(), words);
        Vector rest = (noisy.array() - deviation / std::sqrt(2) * std::log(2)).max(1e-6);
        rest = 0.95 * rest / rest.sum() + Vector::Constant(words, 0.05 / static_cast<double>(words));
        ours += log_loss(sums, word_shares(released, 3000)) / 20;
        cut += log_loss(sums, rest) / 20;
      }
      EXPECT_LT(ours, cut) << words << " words, deviation " << deviation;
    }
}

// The grid of the prior begins where sums of so many documents are exact, however little noise is stated.
TEST(WordShares, AreFoundBelowAnyNoise) {
  const Vector sums = zipf(20, 1000);
  EXPECT_TRUE(word_shares(with_laplace_noise(sums, 5e-324, 1), 1000).isApprox(sums / 1000, 1e-9));
}

TEST(WordShares, OfHopelessNoiseAreNearlyEqual) {
  const Vector shares = word_shares(with_laplace_noise(zipf(200, 100), 1e6, 3), 100);
  EXPECT_LT(shares.maxCoeff(), 3 * shares.minCoeff());
}

}  // namespace
}  // namespace tulle
