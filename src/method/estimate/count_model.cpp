#include "estimate/count_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

constexpr double kLeastSpread = 1e-3, kMostSpread = 10;  // of a factor's numbers: 1 / shape
constexpr double kByChance = 3;                          // standard errors

struct CellMoments {
  double cells, mean, variance;
};

CellMoments moments_of(const SparseTensor& released) {
  CellMoments moments{std::max<double>(released.size(), 1), 0, 0};
  for (float value : released.values()) moments.mean += value / moments.cells;
  for (float value : released.values())
    moments.variance += (value - moments.mean) * (value - moments.mean) / moments.cells;
  return moments;
}

// The mean of a number that is equally likely anywhere between the bounds before its normal estimate is
// known: where noise has moved the estimate beyond a bound, not the bound itself.
double mean_between(double estimate, double error, double least, double most) {
  const double inside = std::clamp(estimate, least, most);
  const double low = (least - estimate) / error, high = (most - estimate) / error;
  const double chance = (std::erfc(low / std::sqrt(2)) - std::erfc(high / std::sqrt(2))) / 2;
  if (!(chance > 1e-9)) return inside;
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); };
  return std::clamp(estimate + error * (density(low) - density(high)) / chance, least, most);
}

// The mean product of deviations over all pairs of cells of one row, less what chance may have added to it.
double covariance_in_rows(const SparseTensor& released, int mode, const CellMoments& moments) {
  struct Row {
    double cells = 0, sum = 0, squares = 0;
  };
  std::vector<Row> rows(released.shape()[mode]);
  for (std::size_t entry = 0; entry < released.size(); ++entry) {
    const double deviation = released.values()[entry] - moments.mean;
    Row& row = rows[released.cells()(entry, mode)];
    row.cells += 1;
    row.sum += deviation;
    row.squares += deviation * deviation;
  }
  double pairs = 0, products = 0;
  for (const Row& row : rows) {
    pairs += row.cells * (row.cells - 1);
    products += row.sum * row.sum - row.squares;
  }
  return pairs > 0 ? products / pairs - kByChance * moments.variance * std::sqrt(2 / pairs) : 0;
}

// The variance of the rates, less what chance may have added to it: that of the cells without that of the
// noise, 2 alpha / (1 - alpha)^2, and that of counts given their rates.
double variance_of_rates(const SparseTensor& released, const std::vector<double>& alphas,
                         const CellMoments& moments) {
  double sum = 0, squares = 0;
  for (std::size_t entry = 0; entry < released.size(); ++entry) {
    const double alpha = alphas[entry], deviation = released.values()[entry] - moments.mean;
    const double term = deviation * deviation - 2 * alpha / ((1 - alpha) * (1 - alpha)) - moments.mean;
    sum += term / moments.cells;
    squares += term * term / moments.cells;
  }
  return sum - kByChance * std::sqrt(std::max(squares - sum * sum, 0.0) / moments.cells);
}

// The least spread of every factor with which (product of (1 + spread)) - 1 reaches the variation.
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
  const CellMoments moments = moments_of(released);
  const double mean = mean_between(moments.mean, std::sqrt(moments.variance / moments.cells), least, most);
  const auto rank = static_cast<double>(layout.columns(0));
  const double scale = rank / (mean * mean);
  std::vector<double> spreads;
  for (int mode = 0; mode < layout.order(); ++mode)
    spreads.push_back(
        std::clamp(scale * covariance_in_rows(released, mode, moments), kLeastSpread, kMostSpread));
  const double least_spread = common_spread(spreads, scale * variance_of_rates(released, alphas, moments));
  std::vector<CountPrior> priors;
  for (double spread : spreads) {
    const double shape = 1 / std::max(spread, least_spread);
    priors.push_back({shape, shape / std::pow(mean / rank, 1.0 / layout.order())});
  }
  return priors;
}

void component_products(const ModelLayout& layout, const std::vector<double>& parameters, const Cells& cells,
                        std::size_t entry, int without, std::vector<double>& result) {
  result.assign(layout.columns(0), 1);
  for (int mode = 0; mode < layout.order(); ++mode) {
    if (mode == without) continue;
    const double* const row = parameters.data() + layout.row(mode, cells(entry, mode));
    for (std::size_t k = 0; k < result.size(); ++k) result[k] *= row[k];
  }
}

std::vector<double> exposure_of(const ModelLayout& layout, const std::vector<double>& parameters,
                                const Cells& cells, int mode) {
  std::vector<double> exposure(layout.factor_size(mode)), others;
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    component_products(layout, parameters, cells, entry, mode, others);
    double* const row = exposure.data() + cells(entry, mode) * layout.columns(mode);
    for (std::size_t k = 0; k < others.size(); ++k) row[k] += others[k];
  }
  return exposure;
}

}  // namespace tulle
