#include "estimate/count_priors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tulle {
namespace {

constexpr double kLeastSpread = 1e-3, kMostSpread = 10;  // of a factor's numbers: 1 / shape
constexpr double kByChance = 3;                          // standard errors
constexpr double kLeastVariance = 1e-6;

// The released counts, the variances of their noise, and weights: one over the variance of a cell.
struct Weighted {
  const SparseTensor& released;
  std::vector<double> noise = {}, weights = {};
  double mean = 0;

  void weigh(double variance_of_counts) {
    weights.resize(noise.size());
    std::ranges::transform(noise, weights.begin(),
                           [&](double each) { return 1 / (each + variance_of_counts); });
    double sum = 0;
    for (std::size_t entry = 0; entry < noise.size(); ++entry)
      sum += weights[entry] * released.values()[entry];
    mean = noise.empty() ? 0 : sum / total_weight();
  }
  double total_weight() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }
  double deviation(std::size_t entry) const { return released.values()[entry] - mean; }
};

// A mean over all cells with its standard error. The variance of a squared deviation is about the square of
// the cell's variance, so weights are squared.
struct Estimate {
  double value, error;
};
Estimate excess_variance(const Weighted& data, double expected) {
  double total = 0, sum = 0, squares = 0;
  const auto term = [&](std::size_t entry) {
    const double deviation = data.deviation(entry);
    return deviation * deviation - data.noise[entry] - expected;
  };
  for (std::size_t entry = 0; entry < data.noise.size(); ++entry) {
    const double weight = data.weights[entry] * data.weights[entry];
    total += weight;
    sum += weight * term(entry);
  }
  if (total == 0) return {0, 0};
  const double value = sum / total;
  for (std::size_t entry = 0; entry < data.noise.size(); ++entry) {
    const double part = data.weights[entry] * data.weights[entry] * (term(entry) - value);
    squares += part * part;
  }
  return {value, std::sqrt(squares) / total};
}

Weighted weighted(const SparseTensor& released, const std::vector<double>& alphas, double middle) {
  Weighted data{released};
  for (double alpha : alphas) data.noise.push_back(2 * alpha / ((1 - alpha) * (1 - alpha)));
  data.weigh(std::max(middle, 1.0));  // about the variance of a count before anything is known
  data.weigh(std::max(excess_variance(data, 0).value, kLeastVariance));
  return data;
}

// The mean product of deviations over all pairs of cells of one row, less three standard errors: a pair with
// weights v, w has the variance 1 / (v w).
double covariance_in_rows(const Weighted& data, int mode) {
  struct Row {
    double weight = 0, weight_squares = 0, sum = 0, squares = 0;
  };
  std::vector<Row> rows(data.released.shape()[mode]);
  for (std::size_t entry = 0; entry < data.noise.size(); ++entry) {
    const double weight = data.weights[entry], part = weight * data.deviation(entry);
    Row& row = rows[data.released.cells()(entry, mode)];
    row.weight += weight;
    row.weight_squares += weight * weight;
    row.sum += part;
    row.squares += part * part;
  }
  double pairs = 0, products = 0;
  for (const Row& row : rows) {
    pairs += row.weight * row.weight - row.weight_squares;
    products += row.sum * row.sum - row.squares;
  }
  return pairs > 0 ? products / pairs - kByChance * std::sqrt(2 / pairs) : 0;
}

// The posterior mean of a number with a uniform prior between the bounds, given its estimate with normal
// error. It lies inside the bounds even if noise has moved the estimate beyond them.
double mean_between(double estimate, double error, double least, double most) {
  const double low = (least - estimate) / error, high = (most - estimate) / error;
  const double chance = (std::erfc(low / std::sqrt(2)) - std::erfc(high / std::sqrt(2))) / 2;
  if (!(chance > 1e-9)) return std::clamp(estimate, least, most);
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); };
  return std::clamp(estimate + error * (density(low) - density(high)) / chance, least, most);
}

// The smallest lower bound of all factors' spreads with which (product of (1 + spread)) - 1 reaches the
// variation.
double common_spread(const std::vector<double>& spreads, double variation) {
  const auto reached = [&](double least) {
    double product = 1;
    for (double spread : spreads) product *= 1 + std::max(spread, least);
    return product - 1 >= variation;
  };
  double low = kLeastSpread, high = kMostSpread;
  if (reached(low)) return low;
  while (high - low > 1e-6 * low) {
    const double middle = (low + high) / 2;
    (reached(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::vector<CountPrior> priors_by_moments(const SparseTensor& released, const std::vector<double>& alphas,
                                          const ModelLayout& layout, double least, double most) {
  const Weighted data = weighted(released, alphas, (least + most) / 2);
  const double mean = mean_between(data.mean, 1 / std::sqrt(data.total_weight()), least, most);
  const auto rank = static_cast<double>(layout.columns(0));
  const double scale = rank / (mean * mean);
  std::vector<double> spreads;
  for (int mode = 0; mode < layout.order(); ++mode)
    spreads.push_back(std::clamp(scale * covariance_in_rows(data, mode), kLeastSpread, kMostSpread));
  // Given their rates, counts have a variance equal to their mean.
  const Estimate of_rates = excess_variance(data, data.mean);
  const double least_spread = common_spread(spreads, scale * (of_rates.value - kByChance * of_rates.error));
  std::vector<CountPrior> priors;
  for (double spread : spreads) {
    const double shape = 1 / std::max(spread, least_spread);
    priors.push_back({shape, shape / std::pow(mean / rank, 1.0 / layout.order())});
  }
  return priors;
}

}  // namespace tulle
