#include "estimate/variational_counts.hpp"

#include <tulle/base/gamma.hpp>
#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tulle {
namespace {

// The shape of the factors' distributions at the start: so large that means and geometric means are close,
// and counts are not taken for noise because the latter are small.
constexpr double kStartShape = 10;
constexpr double kNegligibleCount = 1e-17;                         // of the probabilities added up
constexpr double kLeastRate = std::numeric_limits<double>::min();  // whose logarithm is a number

double geometric_mean(double shape, double rate) {
  return std::exp(digamma(shape)) / rate;
}

}  // namespace

// The ratio of probabilities, rate / x times 1 / alpha up to what was released and alpha beyond it, falls
// with x: sums are made from the mode outwards until nothing is added to them.
CountMoments moments_of_count(double released, double alpha, double rate) {
  if (alpha == 0) {
    const double count = std::max(released, 0.0);
    return {count * std::log(rate) - std::lgamma(count + 1), count};
  }
  const auto ratio = [&](double x) { return rate / x * (x <= released ? 1 / alpha : alpha); };  // to x - 1
  const double mode = std::max(std::floor(rate * alpha), std::min(std::floor(rate / alpha), released));
  double total = 1, offset = 0;  // sums of weights relative to that of the mode, and of them times x - mode
  for (double x = mode + 1, weight = ratio(x); weight > kNegligibleCount * total; weight *= ratio(++x)) {
    total += weight;
    offset += weight * (x - mode);
  }
  for (double x = mode, weight = 1; x > 0 && weight > kNegligibleCount * total; --x) {
    weight /= ratio(x);
    total += weight;
    offset -= weight * (mode - x + 1);
  }
  return {mode * std::log(rate) - std::lgamma(mode + 1) + std::abs(released - mode) * std::log(alpha) +
              std::log((1 - alpha) / (1 + alpha)) + std::log(total),
          mode + offset / total};
}

VariationalCounts::VariationalCounts(const SparseTensor& released, std::vector<double> alphas,
                                     const ModelLayout& layout, std::vector<CountPrior> priors,
                                     std::uint64_t seed)
    : released_(released),
      alphas_(std::move(alphas)),
      layout_(layout),
      priors_(std::move(priors)),
      means_(layout.size()),
      geometric_(layout.size()),
      shapes_(layout.size(), kStartShape),
      counts_(layout.size()) {
  Random random(seed);
  for (int mode = 0; mode < layout_.order(); ++mode)
    for (std::size_t i = 0; i < layout_.factor_size(mode); ++i)
      means_[layout_.start(mode) + i] = (0.5 + random.uniform()) * prior_of(mode).mean();
  for (std::size_t i = 0; i < means_.size(); ++i)
    geometric_[i] = geometric_mean(kStartShape, kStartShape / means_[i]);
  total_ = total_rate(0, exposure_of(layout_, means_, released_.cells(), 0));
}

double VariationalCounts::sweep() {
  double bound = fit_counts() - total_;
  for (int mode = 0; mode < layout_.order(); ++mode) bound += bound_of_factor(mode);
  for (int mode = 0; mode < layout_.order(); ++mode) fit_factor(mode);
  return bound;
}

double VariationalCounts::fit_counts() {
  std::ranges::fill(counts_, 0.0);
  std::vector<double> weights;
  double bound = 0;
  for (std::size_t entry = 0; entry < released_.size(); ++entry) {
    component_products(layout_, geometric_, released_.cells(), entry, -1, weights);
    const double rate = std::max(std::accumulate(weights.begin(), weights.end(), 0.0), kLeastRate);
    const auto [log_sum, count] =
        moments_of_count(std::round(released_.values()[entry]), alphas_[entry], rate);
    bound += log_sum;
    for (int mode = 0; mode < layout_.order(); ++mode) {
      double* const row = counts_.data() + layout_.row(mode, released_.cells()(entry, mode));
      for (std::size_t k = 0; k < weights.size(); ++k) row[k] += count * weights[k] / rate;
    }
  }
  return bound;
}

// E log p - E log q of the numbers of a factor.
double VariationalCounts::bound_of_factor(int mode) const {
  const CountPrior& prior = prior_of(mode);
  double bound = static_cast<double>(layout_.factor_size(mode)) *
                 (prior.shape * std::log(prior.rate) - std::lgamma(prior.shape));
  for (std::size_t i = 0; i < layout_.factor_size(mode); ++i) {
    const std::size_t place = layout_.start(mode) + i;
    const double shape = shapes_[place], mean = means_[place];
    bound += std::lgamma(shape) - shape * std::log(shape / mean) +
             (prior.shape - shape) * std::log(geometric_[place]) + shape - prior.rate * mean;
  }
  return bound;
}

void VariationalCounts::fit_factor(int mode) {
  const CountPrior& prior = prior_of(mode);
  const std::vector<double> exposure = exposure_of(layout_, means_, released_.cells(), mode);
  for (std::size_t i = 0; i < exposure.size(); ++i) {
    const std::size_t place = layout_.start(mode) + i;
    const double rate = prior.rate + exposure[i];
    shapes_[place] = prior.shape + counts_[place];
    means_[place] = shapes_[place] / rate;
    geometric_[place] = geometric_mean(shapes_[place], rate);
  }
  total_ = total_rate(mode, exposure);
}

double VariationalCounts::total_rate(int mode, const std::vector<double>& exposure) const {
  return std::inner_product(exposure.begin(), exposure.end(),
                            means_.begin() + static_cast<std::ptrdiff_t>(layout_.start(mode)), 0.0);
}

}  // namespace tulle
