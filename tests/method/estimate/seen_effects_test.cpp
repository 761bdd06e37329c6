#include "estimate/seen_effects.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Density and posterior mean by a sum over a fine grid of the effect plus Gaussian noise.
SeenEffect::Posterior by_definition(const SeenEffect& seen, double square) {
  double density = 0, along = 0;
  const double variance = square + seen.gaussian, step = 1e-4;
  for (double u = -3; u <= 3; u += step) {
    const double weight = std::exp(-u * u / (2 * variance)) / std::sqrt(2 * M_PI * variance) *
                          std::exp(-std::abs(seen.value - u) / seen.laplace) / (2 * seen.laplace) * step;
    density += weight;
    along += weight * u * square / variance;  // of u the part that is the effect
  }
  return {std::log(density), along / density};
}

TEST(SeenEffects, HaveThePosteriorOfLaplaceNoise) {
  for (const double value : {-0.9, -0.1, 0.0, 0.02, 0.4})
    for (const double square : {0.0001, 0.01, 0.1}) {
      const SeenEffect seen{value, 0.001, 0.05};
      const auto [log_evidence, mean] = seen.under(square);
      const auto expected = by_definition(seen, square);
      EXPECT_NEAR(log_evidence, expected.log_evidence, 1e-4);
      EXPECT_NEAR(mean, expected.mean, 1e-4);
    }
}

TEST(SeenEffects, WithGaussianNoiseAreShrunkInProportion) {
  const SeenEffect seen{0.3, 0.01, 0};
  EXPECT_NEAR(seen.under(0.02).mean, 0.2, 1e-12);
  EXPECT_NEAR(seen.under(0.02).log_evidence, -0.5 * (std::log(2 * M_PI * 0.03) + 0.09 / 0.03), 1e-12);
}

// However far out, the mean under the prior N(0, square) is square / scale at most.
TEST(SeenEffects, TakeOutliersForNoise) {
  const SeenEffect outlier{1e3, 0.0001, 0.1};
  EXPECT_NEAR(outlier.under(0.0025).mean, 0.025, 1e-9);
  EXPECT_TRUE(std::isfinite(outlier.under(0.0025).log_evidence));
  EXPECT_EQ(outlier.under(0).mean, 0);
}

TEST(SeenEffects, ShowTheirDeviation) {
  Random random(3);
  std::vector<SeenEffect> effects, nothing;
  for (int i = 0; i < 400; ++i) {
    const double noise = 0.02 * (random.chance(0.5) ? 1 : -1) * std::log(1 - random.uniform());
    effects.push_back({0.1 * random.normal() + noise, 1e-6, 0.02});
    nothing.push_back({noise, 1e-6, 0.02});
  }
  const auto typical = [](const Shrunk& shrunk) {
    double sum = 0;
    for (std::size_t k = 0; k < kDeviations; ++k) sum += shrunk.weights[k] * deviations()[k];
    return sum;
  };
  EXPECT_NEAR(typical(shrink(effects, 0.4)), 0.1, 0.02);
  EXPECT_LT(typical(shrink(nothing, 0.4)), 0.01);
  for (const double mean : shrink(nothing, 0.4).means) EXPECT_LT(std::abs(mean), 0.02);
}

}  // namespace
}  // namespace tulle
