#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/discrete.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

template <class Noise>
std::vector<std::int64_t> draw(const Noise& noise, std::uint64_t seed, int count = 200'000) {
  auto bits = RandomBits::seeded(seed);
  std::vector<std::int64_t> samples(count);
  for (auto& sample : samples) sample = noise.sample(bits);
  return samples;
}

// Every pmf adds up to 1, is symmetric, gives variance() and cdf(), and the samples follow it.
template <class Noise>
void expect_consistent(const Noise& noise, std::uint64_t seed) {
  const double variance = noise.variance();
  const auto reach = static_cast<std::int64_t>(60 * std::sqrt(variance) + 40);
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
  EXPECT_NEAR(second, variance, 1e-10 * variance);

  const auto samples = draw(noise, seed);
  testing::expect_frequencies(samples, [&](std::int64_t k) { return noise.pmf(k); });
  const std::vector<double> reals(samples.begin(), samples.end());
  testing::expect_mean(reals, 0, variance);
  testing::expect_second_moment(reals, second, fourth);
}

TEST(DiscreteLaplace, FollowsItsPmf) {
  std::uint64_t seed = 100;
  for (const Rational scale :
       {Rational(1, 5), Rational(1), Rational(2), Rational(5, 2), Rational(7, 3), Rational(40)})
    expect_consistent(DiscreteLaplace::with_scale(scale), ++seed);
}

TEST(DiscreteGaussian, FollowsItsPmf) {
  std::uint64_t seed = 200;
  for (const Rational sigma2 : {Rational(1, 20), Rational(1, 4), Rational(1), Rational(2), Rational(7, 3),
                                Rational(50), Rational(1001, 10), Rational(900)})
    expect_consistent(DiscreteGaussian::with_sigma2(sigma2), ++seed);
}

TEST(DiscreteStaircase, FollowsItsPmf) {
  std::uint64_t seed = 300;
  for (const double epsilon : {0.3, 1.0, 3.0, 8.0})
    for (const std::int64_t sensitivity : {1, 2, 7, 30})
      expect_consistent(DiscreteStaircase::optimal(epsilon, sensitivity), ++seed);
  expect_consistent(DiscreteStaircase::with_step(1, 10, 10), ++seed);
}

// Reference values: sums of the pmf with 40 digits.
TEST(DiscreteLaplace, Oracles) {
  const auto of = [](std::uint64_t t) { return DiscreteLaplace::with_scale(t); };
  EXPECT_NEAR(of(1).variance(), 1.8413471884155845, 1e-12);
  EXPECT_NEAR(of(2).variance(), 7.835396178065528, 1e-11);
  EXPECT_NEAR(of(4).variance(), 31.833853, 1e-6);
  EXPECT_NEAR(of(1).pmf(0), 0.46211715726000974, 1e-13);
  EXPECT_NEAR(of(2).pmf(0), 0.24491866240370913, 1e-13);
  EXPECT_NEAR(of(10).pmf(0), 0.04995837495787997, 1e-13);
}

TEST(DiscreteGaussian, Oracles) {
  const auto of = [](std::uint64_t p, std::uint64_t q) {
    return DiscreteGaussian::with_sigma2(Rational(p, q));
  };
  EXPECT_NEAR(of(1, 4).variance(), 0.21501267508813848, 1e-12);
  EXPECT_NEAR(of(1, 1).variance(), 0.9999997887677281, 1e-12);
  EXPECT_NEAR(of(100, 1).variance(), 100, 1e-10);
  EXPECT_NEAR(of(1, 4).pmf(0), 0.7865707070419479, 1e-12);
  EXPECT_NEAR(of(1, 1).pmf(0), 0.3989422782668617, 1e-12);
  EXPECT_NEAR(of(4, 1).pmf(0), 0.19947114020071635, 1e-12);
  EXPECT_NEAR(of(100, 1).pmf(0), 0.03989422804014327, 1e-12);
}

// epsilon of the discrete Gaussian at delta = 1e-5 and sensitivity 1: the hockey stick sum_k max(0, P(k) -
// e^epsilon P(k-1)), solved by reference with 40 digits, must come out of pmf as delta.
TEST(DiscreteGaussian, PrivacyOracles) {
  const auto delta = [](const DiscreteGaussian& noise, double epsilon) {
    double sum = 0;
    for (std::int64_t k = -400; k <= 400; ++k)
      sum += std::max(0.0, noise.pmf(k) - std::exp(epsilon) * noise.pmf(k - 1));
    return sum;
  };
  EXPECT_NEAR(delta(DiscreteGaussian::with_sigma2(1), 4.430238055279412), 1e-5, 1e-10);
  EXPECT_NEAR(delta(DiscreteGaussian::with_sigma2(100), 0.3408182852462441), 1e-5, 1e-10);
}

// At the largest parameters the arithmetic is at the edge of its 128 bits.
TEST(DiscreteGaussian, LargeParameters) {
  const std::uint64_t limit = Rational::kLimit;
  std::uint64_t seed = 400;
  for (const Rational sigma2 : {Rational(limit), Rational(limit - 1, 3), Rational(limit, limit - 1),
                                Rational(limit - 1, limit), Rational(limit / 1000 - 1, 1000)}) {
    const auto noise = DiscreteGaussian::with_sigma2(sigma2);
    const auto samples = draw(noise, ++seed);
    const std::vector<double> reals(samples.begin(), samples.end());
    const double variance = noise.variance();
    testing::expect_mean(reals, 0, variance);
    testing::expect_second_moment(reals, variance, 3 * variance * variance);
    if (noise.sigma() > 100)
      testing::expect_distribution(reals, [&](double x) { return noise.cdf(static_cast<std::int64_t>(x)); });
    else
      testing::expect_frequencies(samples, [&](std::int64_t k) { return noise.pmf(k); });
  }
}

TEST(DiscreteLaplace, LargeParameters) {
  for (const double scale : {1e6, 4.5e15, 12345.678}) {
    const auto noise = DiscreteLaplace::with_scale_at_least(scale);
    const auto samples = draw(noise, static_cast<std::uint64_t>(scale));
    testing::expect_distribution({samples.begin(), samples.end()},
                                 [&](double x) { return noise.cdf(static_cast<std::int64_t>(x)); });
  }
}

// The share beyond 2, 3, .. standard deviations, and of both signs.
TEST(DiscreteGaussian, Tails) {
  const auto noise = DiscreteGaussian::with_sigma_at_least(1000);
  const auto samples = draw(noise, 500, 1'000'000);
  const auto n = static_cast<double>(samples.size());
  for (const std::int64_t bound : {2000, 3000, 4000}) {
    const double expected = n * noise.cdf(-bound), deviation = 6 * std::sqrt(expected);
    EXPECT_NEAR(std::count_if(samples.begin(), samples.end(), [&](auto k) { return k <= -bound; }), expected,
                deviation);
    EXPECT_NEAR(std::count_if(samples.begin(), samples.end(), [&](auto k) { return k >= bound; }), expected,
                deviation);
  }
}

TEST(DiscreteGaussian, SigmaIsNeverRoundedDown) {
  for (const double sigma : {0.001, 0.1, 1.0, 1.1, 3.730632, 1e5 / 3, 6e7}) {
    const double got = DiscreteGaussian::with_sigma_at_least(sigma).sigma();
    EXPECT_GE(got, sigma * (1 - 1e-16));
    EXPECT_LE(got, std::max(sigma * (1 + 1e-11), 1e-3 + 1e-12));
  }
}

// The staircase of sensitivity 1 has no place for a step: it is the two-sided geometric.
TEST(DiscreteStaircase, OfSensitivityOneIsDiscreteLaplace) {
  const auto staircase = DiscreteStaircase::optimal(0.5, 1);
  const auto laplace = DiscreteLaplace::with_scale(2);
  for (std::int64_t k = -30; k <= 30; ++k) EXPECT_NEAR(staircase.pmf(k), laplace.pmf(k), 1e-15);
}

// The claim itself: no shift by up to the sensitivity changes a probability by more than e^epsilon; the step
// is the best.
TEST(DiscreteStaircase, IsPrivateAndOptimal) {
  for (const double epsilon : {0.3, 1.0, 4.0}) {
    const std::int64_t sensitivity = 9;
    const auto best = DiscreteStaircase::optimal(epsilon, sensitivity);
    for (std::int64_t k = -40; k <= 40; ++k)
      for (std::int64_t shift = 1; shift <= sensitivity; ++shift)
        EXPECT_LE(best.pmf(k), std::exp(epsilon) * best.pmf(k + shift) * (1 + 1e-12));
    for (std::int64_t step = 1; step <= sensitivity; ++step)
      EXPECT_GE(DiscreteStaircase::with_step(epsilon, sensitivity, step).variance(), best.variance());
    EXPECT_LT(best.variance(), DiscreteLaplace::with_scale_at_least(sensitivity / epsilon).variance());
  }
}

TEST(DiscreteNoise, RefusesBadParameters) {
  const auto refuses = [](auto make, const char* message) {
    EXPECT_THAT(make, ThrowsMessage<UsageError>(HasSubstr(message)));
  };
  refuses([] { DiscreteLaplace::with_scale_at_least(0); },
          "discrete Laplace noise: scale 0 must be positive and finite");
  refuses([] { DiscreteLaplace::with_scale_at_least(1e16); },
          "discrete Laplace noise: scale 1e+16 must be between 0 and 4503599627370496");
  refuses([] { DiscreteGaussian::with_sigma_at_least(-2); },
          "discrete Gaussian noise: sigma -2 must be positive and finite");
  refuses([] { DiscreteGaussian::with_sigma_at_least(1e8); },
          "discrete Gaussian noise: sigma 100000000 must be at most 2^26; take a coarser grid");
  refuses([] { DiscreteStaircase::optimal(0, 1); },
          "discrete staircase noise: epsilon 0 must be positive and finite");
  refuses([] { DiscreteStaircase::optimal(1, 0); },
          "discrete staircase noise: sensitivity 0 must be between 1 and");
  refuses([] { DiscreteStaircase::with_step(1, 4, 5); },
          "discrete staircase noise: step 5 must be between 1 and 4");
  refuses([] { DiscreteStaircase::optimal(1e-10, 1 << 30); },
          "discrete staircase noise: sensitivity/epsilon 1.07");
}

}  // namespace
}  // namespace tulle
