#include <tulle/base/error.hpp>
#include <tulle/base/gamma.hpp>
#include <tulle/model/posterior.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

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
  const int count = samples.empty() ? draws : static_cast<int>(samples.size());
  if (count < 2) fail_usage("intervals from {} draws; give 2 at least", count);
  std::vector<std::vector<double>> values;
  for (int i = 0; i < count; ++i)
    values.push_back(samples.empty() ? draw(seed, i).predict(product, cells)
                                     : samples[static_cast<std::size_t>(i)].predict(product, cells));
  // Of n values the one of rank q (n - 1), between its neighbours where that is not a whole number.
  const auto quantile = [&](const std::vector<double>& sorted, double q) {
    const double rank = q * (count - 1);
    const auto below = static_cast<std::size_t>(rank);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
  };
  std::vector<Interval> result;
  std::vector<double> of_cell(static_cast<std::size_t>(count));
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (std::size_t i = 0; i < of_cell.size(); ++i) of_cell[i] = values[i][cell];
    std::ranges::sort(of_cell);
    result.push_back({quantile(of_cell, (1 - probability) / 2), quantile(of_cell, (1 + probability) / 2)});
  }
  return result;
}

}  // namespace tulle
