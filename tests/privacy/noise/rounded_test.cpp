#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/continuous.hpp>
#include <tulle/privacy/noise/rounded.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

template <class Noise>
std::vector<std::int64_t> draw_rounded(const Noise& noise, std::uint64_t seed, int count = 200'000) {
  auto bits = RandomBits::seeded(seed);
  std::vector<std::int64_t> samples(count);
  for (auto& sample : samples) sample = noise.sample(bits);
  return samples;
}

template <class Noise>
void expect_rounded(const Noise& noise, std::uint64_t seed) {
  const auto reach = static_cast<std::int64_t>(60 * std::sqrt(noise.variance()) + 40);
  double sum = 0, second = 0, fourth = 0;
  for (std::int64_t k = -reach; k <= reach; ++k) {
    const double p = noise.pmf(k), square = static_cast<double>(k) * static_cast<double>(k);
    sum += p;
    second += p * square;
    fourth += p * square * square;
    ASSERT_EQ(p, noise.pmf(-k));
    ASSERT_NEAR(noise.cdf(k), sum, 1e-12) << k;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(second, noise.variance(), 1e-10 * noise.variance());
  const auto samples = draw_rounded(noise, seed);
  testing::expect_frequencies(samples, [&](std::int64_t k) { return noise.pmf(k); });
  const std::vector<double> reals(samples.begin(), samples.end());
  testing::expect_mean(reals, 0, second);
  testing::expect_second_moment(reals, second, fourth);
}

TEST(RoundedGaussian, FollowsItsPmf) {
  std::uint64_t seed = 1;
  for (const double sigma : {0.2, 0.5, 1.0, 1.3, 2.5, 10.0, 31.4})
    expect_rounded(RoundedGaussian::with_sigma_at_least(sigma), ++seed);
}

TEST(RoundedLaplace, FollowsItsPmf) {
  std::uint64_t seed = 20;
  for (const double scale : {0.2, 0.5, 1.0, 1.3, 2.5, 10.0, 31.4})
    expect_rounded(RoundedLaplace::with_scale_at_least(scale), ++seed);
}

TEST(RoundedGaussian, LargeScalesFollowTheContinuousDistribution) {
  for (const double sigma : {12345.6, 3e9, 4.5e15}) {
    const auto noise = RoundedGaussian::with_sigma_at_least(sigma);
    const auto samples = draw_rounded(noise, static_cast<std::uint64_t>(sigma), 400'000);
    const std::vector<double> reals(samples.begin(), samples.end());
    testing::expect_distribution(reals, [&](double x) { return noise.cdf(static_cast<std::int64_t>(x)); });
    testing::expect_second_moment(reals, sigma * sigma, 3 * std::pow(sigma, 4));
    for (const double bound : {2.0, 3.0, 4.0}) {
      const double expected = 4e5 * Gaussian::with_sigma(1).cdf(-bound), deviation = 6 * std::sqrt(expected);
      EXPECT_NEAR(std::count_if(reals.begin(), reals.end(), [&](double x) { return x > bound * sigma; }),
                  expected, deviation);
      EXPECT_NEAR(std::count_if(reals.begin(), reals.end(), [&](double x) { return x < -bound * sigma; }),
                  expected, deviation);
    }
  }
}

// The low bits of large noise are uniform, and stay so far out in the tail: no holes for a grid to show.
TEST(RoundedGaussian, LowBitsAreUniform) {
  std::vector<std::int64_t> all, tail;
  for (const std::int64_t k : draw_rounded(RoundedGaussian::with_sigma_at_least(0x1p50), 40, 400'000)) {
    all.push_back(k & 15);
    if (k > std::int64_t{1} << 51) tail.push_back(k & 15);
  }
  const auto uniform = [](std::int64_t k) { return k >= 0 && k < 16 ? 1.0 / 16 : 0; };
  testing::expect_frequencies(all, uniform);
  testing::expect_frequencies(tail, uniform);
}

TEST(RoundedLaplace, LargeScalesFollowTheContinuousDistribution) {
  for (const double scale : {12345.6, 4.5e15}) {
    const auto noise = RoundedLaplace::with_scale_at_least(scale);
    const auto samples = draw_rounded(noise, static_cast<std::uint64_t>(scale));
    testing::expect_distribution({samples.begin(), samples.end()},
                                 [&](double x) { return noise.cdf(static_cast<std::int64_t>(x)); });
  }
}

TEST(Rounded, RefusesBadParameters) {
  const auto refuses = [](auto make, const char* message) {
    EXPECT_THAT(make, ThrowsMessage<UsageError>(HasSubstr(message)));
  };
  refuses([] { RoundedGaussian::with_sigma_at_least(0); },
          "rounded Gaussian noise: sigma 0 must be positive and finite");
  refuses([] { RoundedGaussian::with_sigma_at_least(1e16); },
          "rounded Gaussian noise: sigma 1e+16 must be between 0 and");
  refuses([] { RoundedLaplace::with_scale_at_least(-1); },
          "rounded Laplace noise: scale -1 must be positive and finite");
}

}  // namespace
}  // namespace tulle
