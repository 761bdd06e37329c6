#include "account/composed.hpp"
#include "privacy/account/composed_plan.hpp"

#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::account {
namespace {

std::vector<Release> gaussian_releases(double mu, double count) {
  return {{GaussianPair{std::sqrt(count) / mu, 1, false}, count}};
}

TEST(Spectrum, ComposesManyGaussianReleases) {
  const double count = 100'000;
  for (const double mu : {0.5, 2.0}) {
    const double epsilon = 2 * mu, exact = gaussian_delta_upper(mu, epsilon);
    const Plan plan = testing::gaussian_plan(mu, count, epsilon, 1 << 18);
    const auto spectrum = compose_spectrum(gaussian_releases(mu, count), Direction::remove, plan);
    ASSERT_NE(spectrum, nullptr);
    EXPECT_GE(spectrum->delta_upper(epsilon), exact * (1 - 1e-12));
    EXPECT_LE(spectrum->delta_upper(epsilon), exact * 1.01);
    EXPECT_NEAR(spectrum->epsilon_upper(exact), epsilon, 0.01 * epsilon);
    EXPECT_LT(spectrum->slack(epsilon), 1e-3 * exact);
  }
}

// The same sum by all frequencies; both bound the same exact value on the same grid.
TEST(Spectrum, AgreesWithTheWindow) {
  const double count = 100'000, epsilon = 2;
  const std::vector<Release> releases{{GaussianPair{60, 0.3, false}, count}};
  // Sampled at rate q, each loss has a variance of about (q / noise)^2.
  const double mu = 0.3 / 60 * std::sqrt(count);
  const Plan plan = testing::gaussian_plan(mu, count, epsilon, 1 << 18);
  const auto spectrum = compose_spectrum(releases, Direction::remove, plan);
  const auto window = compose_window(releases, Direction::remove, plan);
  ASSERT_NE(spectrum, nullptr);
  for (const double at : {1.0, 2.0, 4.0}) {
    const double delta = window->delta_upper(at);
    EXPECT_NEAR(spectrum->delta_upper(at), delta, 1e-6 * delta);
  }
}

// The transform of a single loss does not vanish at high frequencies.
TEST(Spectrum, IsNotForFewReleases) {
  EXPECT_EQ(
      compose_spectrum(gaussian_releases(1, 1), Direction::remove, testing::gaussian_plan(1, 1, 2, 1 << 12)),
      nullptr);
}

TEST(Spectrum, SaysWhenEpsilonLiesOutside) {
  const Plan plan = testing::gaussian_plan(1, 100'000, 2, 1 << 18);
  const auto spectrum = compose_spectrum(gaussian_releases(1, 100'000), Direction::remove, plan);
  ASSERT_NE(spectrum, nullptr);
  EXPECT_EQ(spectrum->epsilon_upper(1), -INFINITY);
  EXPECT_EQ(spectrum->epsilon_upper(1e-300), INFINITY);
}

}  // namespace
}  // namespace tulle::account
