#include "counts/deconvolution.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Counts of which most are 0, and values with noise of this law: discrete Laplace, or rounded normal.
struct MadeCounts {
  std::vector<double> expected, counts, noisy;

  MadeCounts(std::size_t cells, double mean, const NoiseLaw& noise, std::uint64_t seed) {
    Random random(seed);
    const double scale = std::sqrt(noise.variance / 2);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      expected.push_back(mean);
      double count = 0;
      for (double left = std::exp(-mean), chance = random.uniform(), mass = left; chance > left;
           left += mass *= mean / count)
        ++count;
      counts.push_back(count);
      const double laplace = scale * (std::log1p(-random.uniform()) - std::log1p(-random.uniform()));
      const double drawn = noise.laplace ? laplace : std::sqrt(noise.variance) * random.normal();
      noisy.push_back(std::round(count + drawn));
    }
  }
};

double mean_square(const std::vector<double>& one, const std::vector<double>& other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += (one[i] - other[i]) * (one[i] - other[i]);
  return sum / static_cast<double>(one.size());
}

double mean_of_all(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

// The posterior mean of Poisson counts is at most as far from them as what is expected and what is noisy. How
// counts spread is estimated too: up to twice as far where nearly all of a value is noise. Then the variances
// are too large, never far too small.
TEST(Deconvolution, IsNotMuchFartherThanTheCloserOfWhatIsExpectedAndWhatIsNoisy) {
  for (const bool laplace : {true, false})
    for (const double mean : {0.1, 2.0, 20.0})
      for (const double variance : {2.0, 200.0}) {
        const NoiseLaw noise{variance, laplace};
        const MadeCounts made(4000, mean, noise, 3);
        const PosteriorCounts found = posterior_of_counts(made.expected, made.noisy, noise);
        const double error = mean_square(found.means, made.counts);
        EXPECT_LT(error, 2 * std::min(mean, variance)) << laplace << ' ' << mean << ' ' << variance;
        EXPECT_GT(mean_of_all(found.variances) / error, 0.8) << laplace << ' ' << mean << ' ' << variance;
      }
}

// That 1 is expected where there are 5: the values say so.
TEST(Deconvolution, WhatIsExpectedMayBeWrong) {
  const NoiseLaw noise{2, true};
  MadeCounts made(4000, 5, noise, 4);
  made.expected.assign(4000, 1);
  const PosteriorCounts found = posterior_of_counts(made.expected, made.noisy, noise);
  EXPECT_NEAR(mean_of_all(found.means), 5, 0.3);
  EXPECT_LT(mean_square(found.means, made.counts), 2);
}

TEST(Deconvolution, FarAboveTheNoiseNothingChanges) {
  const NoiseLaw noise{2, true};
  const std::vector<double> expected(100, 1000), noisy = [] {
    std::vector<double> values;
    for (int i = 0; i < 100; ++i) values.push_back(500 + 10 * i);
    return values;
  }();
  const PosteriorCounts found = posterior_of_counts(expected, noisy, noise);
  for (std::size_t i = 0; i < noisy.size(); ++i) EXPECT_NEAR(found.means[i], noisy[i], 0.1);
}

TEST(Deconvolution, WithoutNoiseValuesAreCounts) {
  const std::vector<double> expected(3, 1), noisy = {0, 7, -1};
  const PosteriorCounts found = posterior_of_counts(expected, noisy, {0, true});
  EXPECT_EQ(found.means, (std::vector<double>{0, 7, 0}));
  EXPECT_EQ(found.variances, (std::vector<double>{0, 0, 0}));
}

TEST(Deconvolution, ExtremeNoiseAndValuesStayFinite) {
  for (const double variance : {1e-8, 1e12})
    for (const double largest : {0.0, 1e9}) {
      const std::vector<double> expected = {1e-9, 1, 1e8}, noisy = {-1e7, 0, largest};
      const PosteriorCounts found = posterior_of_counts(expected, noisy, {variance, true});
      for (const double mean : found.means) EXPECT_TRUE(std::isfinite(mean)) << variance << largest;
      for (const double each : found.variances) EXPECT_TRUE(each >= 0 && std::isfinite(each));
    }
}

}  // namespace
}  // namespace tulle
