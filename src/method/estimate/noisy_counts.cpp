#include "estimate/noisy_counts.hpp"

#include "estimate/bessel.hpp"

#include <tulle/base/gamma.hpp>
#include <tulle/base/multinomial.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kLeastParameter = 1e-300;  // of one whose Gamma number underflowed

double sum_of_all(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

}  // namespace

NoisyCounts::NoisyCounts(const SparseTensor& released, std::vector<double> alphas, const ModelLayout& layout,
                         const CountPrior& prior, std::uint64_t seed)
    : released_(released),
      alphas_(std::move(alphas)),
      layout_(layout),
      prior_(prior),
      random_(seed),
      parameters_(layout.size()),
      counts_(layout.size()),
      up_(alphas_) {
  for (double& mean : up_) mean /= 1 - mean;
  down_ = up_;
  for (double& parameter : parameters_) parameter = (0.5 + random_.uniform()) * prior.shape / prior.rate;
}

double NoisyCounts::rate_of(std::size_t entry) const {
  std::vector<double> weights;
  component_products(layout_, parameters_, released_.cells(), entry, -1, weights);
  return sum_of_all(weights);
}

void NoisyCounts::sweep() {
  draw_counts();
  for (int mode = 0; mode < layout_.order(); ++mode) draw_factor(mode);
}

void NoisyCounts::draw_counts() {
  std::ranges::fill(counts_, 0.0);
  std::vector<double> weights, parts(layout_.columns(0));
  for (std::size_t entry = 0; entry < released_.size(); ++entry) {
    component_products(layout_, parameters_, released_.cells(), entry, -1, weights);
    const std::uint64_t count = draw_count(entry, sum_of_all(weights));
    if (count == 0) continue;
    std::ranges::fill(parts, 0.0);
    draw_multinomial(random_, count, weights, parts);
    for (int mode = 0; mode < layout_.order(); ++mode) {
      double* const row = counts_.data() + layout_.row(mode, released_.cells()(entry, mode));
      for (std::size_t k = 0; k < parts.size(); ++k) row[k] += parts[k];
    }
  }
}

// Draws the true count of a cell together with the two parts of its noise.
std::uint64_t NoisyCounts::draw_count(std::size_t entry, double mu) {
  const double z = std::round(released_.values()[entry]);
  const double alpha = alphas_[entry];
  if (alpha == 0) return static_cast<std::uint64_t>(std::max(z, 0.0));
  double &up = up_[entry], &down = down_[entry];
  const auto apart = static_cast<std::uint64_t>(std::abs(z));
  const std::uint64_t smaller = draw_bessel(random_, apart, 2 * std::sqrt((mu + up) * down));
  const std::uint64_t added = z > 0 ? smaller + apart : smaller, taken = z > 0 ? smaller : smaller + apart;
  const std::uint64_t count = draw_binomial(random_, added, mu / (mu + up));
  up = alpha * draw_gamma(random_, 1 + static_cast<double>(added - count));
  down = alpha * draw_gamma(random_, 1 + static_cast<double>(taken));
  return count;
}

void NoisyCounts::draw_factor(int mode) {
  const std::vector<double> exposure = exposure_of(layout_, parameters_, released_.cells(), mode);
  for (std::size_t i = 0; i < exposure.size(); ++i) {
    const std::size_t place = layout_.start(mode) + i;
    parameters_[place] = std::max(draw_gamma(random_, prior_.shape + counts_[place]), kLeastParameter) /
                         (prior_.rate + exposure[i]);
  }
}

}  // namespace tulle
