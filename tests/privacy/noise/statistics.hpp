// Tests of samples against distributions. Every threshold is so wide that a right sampler fails it with
// probability below 1e-8, and seeds are fixed.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace tulle::testing {

// Mean of values with the given true mean and variance: 6 standard errors (2e-9).
inline void expect_mean(std::span<const double> values, double mean, double variance) {
  double sum = 0;
  for (const double value : values) sum += value;
  const auto n = static_cast<double>(values.size());
  EXPECT_NEAR(sum / n, mean, 6 * std::sqrt(variance / n));
}

// Mean of squares, with the true second and fourth moments.
inline void expect_second_moment(std::span<const double> values, double second, double fourth) {
  std::vector<double> squares;
  for (const double value : values) squares.push_back(value * value);
  expect_mean(squares, second, fourth - second * second);
}

// Largest distance of the empirical distribution function from cdf. It exceeds x/sqrt(n) with probability at
// most 2 exp(-2 x^2) (Massart 1990), below 1e-8 for x = 3.1.
template <class Cdf>
void expect_distribution(std::vector<double> values, Cdf cdf) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = cdf(values[i]);
    distance = std::max({distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  EXPECT_LT(distance, 3.1 / std::sqrt(n));
}

// Chi-square of counts against probabilities, cells with fewer than 20 expected taken together. The quantile
// is that of Wilson and Hilferty at 6 standard deviations.
template <class Probability>
void expect_frequencies(const std::vector<std::int64_t>& samples, Probability probability) {
  std::map<std::int64_t, double> counts;
  for (const auto sample : samples) ++counts[sample];
  const auto n = static_cast<double>(samples.size());
  double statistic = 0, rest_count = n, rest_expected = n;
  int cells = 0;
  for (const auto& [value, count] : counts) {
    const double expected = n * probability(value);
    if (expected < 20) continue;
    statistic += (count - expected) * (count - expected) / expected;
    rest_count -= count;
    rest_expected -= expected;
    ++cells;
  }
  ASSERT_GT(cells, 0);
  if (rest_expected > 20) {
    statistic += (rest_count - rest_expected) * (rest_count - rest_expected) / rest_expected;
    ++cells;
  } else {
    EXPECT_LT(rest_count, 80);  // a Poisson count with mean 20 or less: beyond 13 standard deviations
  }
  const double df = std::max(cells - 1, 1), h = 2 / (9 * df);
  EXPECT_LT(statistic, df * std::pow(1 - h + 6 * std::sqrt(h), 3));
}

}  // namespace tulle::testing
