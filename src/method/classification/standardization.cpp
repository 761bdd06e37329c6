#include "standardization.hpp"

#include <tulle/base/sum_grid.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Prior of the variance of a feature on [-1, 1]: half that of uniform values, with a standard deviation of
// the same size.
constexpr double kVariance = 1.0 / 6, kItsDeviation = 1.0 / 6;
// Lower bounds of variances, so that no feature is scaled up without bound.
constexpr double kLeastVariance = 0.02, kLeastOfMean = 0.1;

double square(double value) {
  return value * value;
}

// Counts of classes, then sums of u and of u^2 over the root of their number.
std::vector<double> sums_of(const LabelledExamples& all, const Network& frame) {
  const FloatMatrix prepared = frame.prepared(all.values);
  const auto classes = frame.classes.size(), features = static_cast<std::size_t>(prepared.cols());
  const SumGrid grid(1, static_cast<double>(kMostRows));
  const double part = 1 / std::sqrt(static_cast<double>(features));
  std::vector<double> sums(classes + 2 * features);
  for (Eigen::Index row = 0; row < prepared.rows(); ++row) {
    sums[static_cast<std::size_t>(all.labels[static_cast<std::size_t>(row)])] += 1;
    for (std::size_t j = 0; j < features; ++j) {
      const double u = 2.0 * prepared(row, static_cast<Eigen::Index>(j)) - 1;
      sums[classes + j] += grid.round(part * u);
      sums[classes + features + j] += grid.round(part * u * u);
    }
  }
  return sums;
}

AdditiveNoise noise_of_sums(const ClassificationRequest& request, double noise) {
  const auto features = static_cast<std::uint64_t>(request.inputs);
  const double length = request.relation == Relation::add_remove ? std::sqrt(3.0) : std::sqrt(6.0);
  const double step = SumGrid(1, static_cast<double>(kMostRows)).step();
  const double rounding = 2 * step * std::sqrt(2.0 * static_cast<double>(features));
  return AdditiveNoise::gaussian(
      Sensitivity::l2(length * (1 + 0x1p-40) + rounding, Unit::example, request.relation), noise,
      request.frame.classes.size() + 2 * features);
}

// Shrunk to 0 by the moments of their prior N(0, t): noise has this variance.
Vector shrunk_means(const Vector& means, double variance) {
  const double t = std::clamp(means.squaredNorm() / static_cast<double>(means.size()) - variance, 0.0, 1.0);
  return (means * (t / (t + variance))).cwiseMax(-1).cwiseMin(1);
}

// Shrunk to their mean, and the mean to its prior. `noise`: the variance of the noise in means and in mean
// squares.
Vector shrunk_variances(const Vector& squares, const Vector& means, double noise) {
  const auto features = static_cast<double>(means.size());
  const Vector found = squares - means.cwiseAbs2();
  const double variance = noise * (1 + 4 * means.squaredNorm() / features);
  const double known = square(kItsDeviation) / (square(kItsDeviation) + variance / features);
  const double mean = std::clamp(kVariance + known * (found.mean() - kVariance),
                                 std::min(kLeastVariance, std::sqrt(variance / features)), 1.0);
  const double t = std::clamp((found.array() - found.mean()).square().mean() - variance, 0.0, square(mean));
  return (mean + (found.array() - mean) * (t / (t + variance)))
      .max(std::min(kLeastOfMean * mean, std::sqrt(variance)));
}

// Counts below the standard deviation of their noise are raised to it, so that no class is excluded.
Vector shares_of(const Vector& counts, double deviation) {
  const Vector likely = counts.cwiseMax(deviation).array() + deviation;
  return likely / likely.sum();
}

}  // namespace

FloatMatrix Standardization::of(const FloatMatrix& prepared) const {
  return (prepared.rowwise() - centre).array().rowwise() * scale.array();
}

Standardization release_standardization(const ClassificationRequest& request, Curator& curator,
                                        double noise) {
  const Noisy sums = curator.release(
      request.data, noise_of_sums(request, noise), "numbers of examples, sums of features and squares",
      [&](const LabelledExamples& all) { return sums_of(all, request.frame); });
  const auto classes = static_cast<Eigen::Index>(request.frame.classes.size());
  const Vector values = Vector::Map(sums.values.data(), static_cast<Eigen::Index>(sums.values.size()));
  const Vector counts = values.head(classes);
  // A sum of counts below its noise does not show the number of examples.
  const double least = std::sqrt(static_cast<double>(classes)) * sums.deviation;
  const double examples =
      request.examples ? static_cast<double>(*request.examples) : std::max({1.0, least, counts.sum()});
  const double unit = std::sqrt(static_cast<double>(request.inputs)) / examples;
  const double variance = square(unit * sums.deviation);
  const Vector means = shrunk_means(unit * values.segment(classes, request.inputs), variance);
  const Vector variances = shrunk_variances(unit * values.tail(request.inputs), means, variance);
  return {.examples = examples,
          .shares = shares_of(counts, sums.deviation),
          .centre = ((1 + means.array()) / 2).cast<float>().transpose(),
          .scale = (2 / variances.array().sqrt()).cast<float>().transpose()};
}

}  // namespace tulle
