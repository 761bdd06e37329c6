#include "cells_above.hpp"

#include <tulle/tensor/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace tulle {
namespace {

// A value this many scales of the noise above the threshold is a count with noise, whatever the others are.
constexpr double kFarAbove = 40;

// The chances of discrete Laplace noise with variance 1 / (cosh(rate) - 1).
class NoiseOfCells {
 public:
  explicit NoiseOfCells(double variance) : rate_(std::acosh(1 + 1 / variance)) {}

  double scale() const { return 1 / rate_; }
  double mass(double noise) const { return std::tanh(rate_ / 2) * std::exp(-rate_ * std::abs(noise)); }
  double below(double threshold) const {
    const double beyond = 1 / (1 + std::exp(-rate_));
    if (threshold <= 0) return std::exp(-rate_ * (1 - threshold)) * beyond;
    return 1 - std::exp(-rate_ * threshold) * beyond;
  }

 private:
  double rate_;
};

// Counts that may occur: all small ones, then by equal factors.
Vector counts_up_to(double largest) {
  std::vector<double> counts = {0};
  while (counts.back() < largest) counts.push_back(std::floor(counts.back() * 1.1) + 1);
  return Eigen::Map<const Vector>(counts.data(), std::ssize(counts));
}

// Before any value is seen: so many events, and as many in each range of counts as in the next by a factor.
Vector shares_before(const Vector& counts, double mean) {
  Vector shares = Vector::Zero(counts.size());
  for (Eigen::Index i = 1; i < counts.size(); ++i)
    shares[i] = (counts[i] - counts[i - 1]) / (counts[i] * counts[i]);
  shares *= std::min(mean / shares.dot(counts), 0.5 / shares.sum());
  shares[0] = 1 - shares.sum();
  return shares;
}

}  // namespace

PosteriorCounts posterior_above(std::span<const double> noisy, const ThresholdedCells& table, double events) {
  constexpr int kRounds = 100;
  PosteriorCounts posterior{{noisy.begin(), noisy.end()}, std::vector<double>(noisy.size(), table.variance)};
  constexpr double kNoNoise = 1e-9;
  if (table.variance < kNoNoise) return posterior;
  const NoiseOfCells noise(table.variance);
  const double far = static_cast<double>(table.threshold) + kFarAbove * std::max(1.0, noise.scale());
  std::map<double, double> times;  // of the values that are not far above
  for (const double value : noisy)
    if (value < far) ++times[value];
  const Vector counts = counts_up_to(2 * far);
  Matrix chances(std::ssize(times) + 1, counts.size());
  Vector numbers(chances.rows());
  Eigen::Index row = 0;
  for (const auto& [value, number] : times) {
    for (Eigen::Index i = 0; i < counts.size(); ++i) chances(row, i) = noise.mass(value - counts[i]);
    numbers[row++] = number;
  }
  for (Eigen::Index i = 0; i < counts.size(); ++i)
    chances(row, i) = noise.below(static_cast<double>(table.threshold) - counts[i]);
  numbers[row] = std::max(0.0, table.cells - static_cast<double>(noisy.size()));
  Vector shares = shares_before(counts, std::max(events, 1.0) / table.cells);
  for (int round = 0; round < kRounds; ++round) {
    const Vector weights = numbers.cwiseQuotient((chances * shares).cwiseMax(1e-300));
    shares = shares.cwiseProduct(chances.transpose() * weights);
    shares /= shares.sum();
  }
  std::map<double, std::pair<double, double>> moments;
  row = 0;
  for (const auto& [value, number] : times) {
    const Vector each = chances.row(row++).transpose().cwiseProduct(shares);
    const double all = std::max(each.sum(), 1e-300), mean = each.dot(counts) / all;
    moments[value] = {mean, std::max(0.0, each.dot(counts.cwiseAbs2()) / all - mean * mean)};
  }
  for (std::size_t i = 0; i < noisy.size(); ++i)
    if (noisy[i] < far) std::tie(posterior.means[i], posterior.variances[i]) = moments.at(noisy[i]);
  return posterior;
}

}  // namespace tulle
