#include <tulle/base/error.hpp>
#include <tulle/base/gamma.hpp>
#include <tulle/model/posterior.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 25;  // values that are stored at a time

Cells slice(const Cells& cells, std::size_t first, std::size_t count) {
  std::vector<std::vector<Index>> columns;
  for (int mode = 0; mode < cells.order(); ++mode) {
    const std::span<const Index> part = cells.column(mode).subspan(first, count);
    columns.emplace_back(part.begin(), part.end());
  }
  return {cells.shape(), std::move(columns)};
}

// The value of rank q (n - 1) among n values, interpolated between neighbours if that is no whole number.
double quantile(const std::vector<double>& sorted, double q) {
  const double rank = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<double> CoupledPosterior::predict(int product, const Cells& cells) const {
  if (samples.empty()) return mean.predict(product, cells);
  std::vector<double> sums(cells.size());
  for (const Coupled& sample : samples) {
    const auto values = sample.predict(product, cells);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
  }
  for (double& sum : sums) sum /= static_cast<double>(samples.size());
  return sums;
}

Coupled CoupledPosterior::draw(std::uint64_t seed, int number) const {
  Coupled model = mean;
  for (std::size_t d = 0; d < model.factors.size(); ++d) {
    Random random(seed, (static_cast<std::uint64_t>(number) << 16) + d);
    for (std::size_t i = 0; i < shapes[d].size(); ++i)
      model.factors[d].values[i] *= draw_gamma(random, shapes[d][i]) / shapes[d][i];
  }
  return model;
}

std::vector<Interval> CoupledPosterior::intervals(int product, const Cells& cells, double probability,
                                                  int draws, std::uint64_t seed) const {
  if (!(probability > 0 && probability < 1))
    fail_usage("an interval of probability {}; it must lie between 0 and 1", probability);
  if (is_point())
    fail_usage("this model is a point and has no intervals; fit it by vb, gibbs, langevin or sgld");
  const std::size_t count = samples.empty() ? static_cast<std::size_t>(std::max(draws, 0)) : samples.size();
  if (count < 2) fail_usage("intervals from {} draws; give 2 at least", count);
  std::vector<Interval> result;
  const std::size_t at_once = std::max<std::size_t>(1, kMostValues / count);
  for (std::size_t first = 0; first < cells.size(); first += at_once) {
    const Cells part = slice(cells, first, std::min(at_once, cells.size() - first));
    std::vector<std::vector<double>> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(samples.empty() ? draw(seed, static_cast<int>(i)).predict(product, part)
                                       : samples[i].predict(product, part));
    std::vector<double> of_cell(count);
    for (std::size_t cell = 0; cell < part.size(); ++cell) {
      for (std::size_t i = 0; i < count; ++i) of_cell[i] = values[i][cell];
      std::ranges::sort(of_cell);
      result.push_back({quantile(of_cell, (1 - probability) / 2), quantile(of_cell, (1 + probability) / 2)});
    }
  }
  return result;
}

}  // namespace tulle
