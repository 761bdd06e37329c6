// Studies whose posterior is known, for samplers.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/model/posterior.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {

// y[u] = the sum over k = 1, 2 of T[u,k], the same value for all of 400 positions.
inline Study repeated_sum(double value, double power) {
  constexpr Index kRows = 400;
  Study study;
  study.entities = {{"A", {}}};
  study.model.axes = {{"u", "A", kRows}, {"k", "", 2}};
  study.model.factors = {{"T", {0, 1}, {}}};
  study.model.products = {{"y", {0}, {0}}};
  SparseTensor data(Shape{kRows, 1}, Unlisted::missing);
  for (Index i = 0; i < kRows; ++i) data.append(std::array<Index, 2>{i, 0}, static_cast<float>(value));
  study.tables.push_back({.data = std::move(data), .divergence = beta_divergence(power)});
  study.priors.resize(1);
  return study;
}

struct Moments {
  double mean, variance;
};

// A count of y is Poisson with rate s = T1 + T2. Elements are Gamma(a, rate b), so that s is Gamma(2 a, b),
// with the posterior Gamma(2 a + y, b + 1), and T1 / s is Beta(a, a), independent of s.
inline Moments gamma_moments(double y, const GammaPrior& prior) {
  const double shape = 2 * prior.shape + y, rate = prior.rate() + 1;
  const double mean = shape / rate, square = shape * (shape + 1) / (rate * rate);
  const double half = (prior.shape + 1) / (2 * (2 * prior.shape + 1));  // the mean square of the Beta number
  return {mean / 2, square * half - mean * mean / 4};
}

// y is normal with mean T1 + T2 and variance 1 / w, elements normal with precision l: the precision of a row
// is l I + w 11', whose inverse is (I - w / (l + 2 w) 11') / l.
inline Moments normal_moments(double y, double w, double l) {
  const double variance = (1 - w / (l + 2 * w)) / l;
  return {w * y / (l + 2 * w), variance};
}

// Rows are independent, so that the averages over the samples of each row say how uncertain their mean is.
// With 400 rows a distance of 5.2 standard errors has a probability below 1e-6 (t distribution). `bias` is
// allowed besides, relative to the standard deviation and to the variance.
inline void expect_moments(const CoupledPosterior& posterior, const Moments& expected, double bias = 0) {
  const std::size_t elements = posterior.mean.factors[0].values.size();
  double sums[2] = {}, squares[2] = {};
  for (std::size_t row = 0; row < elements; row += 2) {
    double averages[2] = {};
    for (const Coupled& sample : posterior.samples) {
      const double distance = sample.factors[0].values[row] - expected.mean;
      averages[0] += distance / static_cast<double>(posterior.samples.size());
      averages[1] +=
          (distance * distance - expected.variance) / static_cast<double>(posterior.samples.size());
    }
    for (int m = 0; m < 2; ++m) sums[m] += averages[m], squares[m] += averages[m] * averages[m];
  }
  const double rows = static_cast<double>(elements) / 2;
  const double scales[2] = {std::sqrt(expected.variance), expected.variance};
  for (int m = 0; m < 2; ++m) {
    const double mean = sums[m] / rows, error = std::sqrt((squares[m] / rows - mean * mean) / (rows - 1));
    EXPECT_NEAR(mean, 0, 5.2 * error + bias * scales[m]) << (m == 0 ? "mean" : "variance");
    EXPECT_LT(5.2 * error, 0.2 * scales[m]);  // otherwise the test could hardly fail
  }
}

}  // namespace tulle
