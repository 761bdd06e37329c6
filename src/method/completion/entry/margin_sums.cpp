#include "margin_sums.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/base/unit_blocks.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kFacts = 3;  // in `chosen`, before the weights

std::size_t values_of(const std::vector<MarginTable>& tables, std::span<const double> weights) {
  std::size_t values = 0;
  for (std::size_t t = 0; t < tables.size(); ++t)
    if (weights[t] > 0) values += tables[t].groups();
  return values;
}

template <class Value>
std::vector<double> in_blocks(const PrivateRequest& request, const MarginTable& table, const Value& value) {
  return add_up_blocks(request.data.positions().size(), request.fit.block_size,
                       [&](std::size_t begin, std::size_t end) { return table.add_up(begin, end, value); });
}

[[noreturn]] void fail_of_other_margins(const Release& released) {
  fail("release '{}' is of other margins than those of these positions", released.id);
}

bool is_length(double length, Index positions) {
  return length >= 1 && length <= positions && length == std::floor(length);
}

}  // namespace

std::vector<MarginTable> margin_tables(const Cells& cells, const Blocks& blocks) {
  std::vector<MarginTable> tables = margin_tables(cells);
  if (!blocks.empty()) tables.emplace_back(cells, blocks);
  return tables;
}

std::vector<MarginTable> margin_tables(const Cells& cells, const std::vector<ModeOrder>& orders,
                                       const Release& released) {
  std::vector<MarginTable> tables = margin_tables(cells);
  const auto order = static_cast<std::size_t>(cells.order());
  if (released.chosen.size() != kFacts + tables.size() + 1 + order) return tables;
  std::vector<Index> lengths;
  for (const double length : std::span(released.chosen).last(order)) {
    if (!is_length(length, cells.shape()[static_cast<int>(lengths.size())])) fail_of_other_margins(released);
    lengths.push_back(static_cast<Index>(length));
  }
  tables.emplace_back(cells, Blocks(cells.shape(), orders, std::move(lengths)));
  return tables;
}

// An entry is in one sum of every table, and changes it by the window at most: times the weights, which add
// up to 1, that is what all of them change by. In widths, the grid adds two steps, and the product with a
// weight rounds a sum of at most n / 2 to 53 bits.
Release release_margins(const PrivateRequest& request, const std::vector<MarginTable>& tables,
                        const MarginPlan& plan, double epsilon, Curator& curator) {
  const Range& range = request.data.range();
  const double cells = static_cast<double>(request.data.positions().size()), half = plan.window / 2;
  const double change = std::min(plan.window, request.data.largest_change() / range.width());
  const SumGrid grid(1, cells);
  const double most = change + 2 * grid.step() + (cells + 8) * 0x1p-52;
  const auto noise = AdditiveNoise::laplace(Sensitivity::l1(most, Unit::entry, Relation::replace), epsilon,
                                            values_of(tables, plan.weights));
  const auto about = [&](std::size_t cell) { return plan.about.empty() ? 0 : plan.about[cell]; };
  const char* what = values_of(tables, plan.weights) == 1 ? "the sum of all entries"
                     : tables.back().blocks() ? "sums over positions, pairs of positions and blocks"
                                              : "sums over positions and pairs of positions";
  Noisy noisy = curator.release(request.data.observed(), noise, what, [&](const SparseTensor& entries) {
    const auto value = [&](std::size_t cell) {
      const double distance = range.centred(entries.values()[cell]) / range.width() - about(cell);
      return grid.round(std::clamp(distance, -half, half));
    };
    std::vector<double> sums;
    for (std::size_t t = 0; t < tables.size(); ++t)
      if (plan.weights[t] > 0)
        for (const double sum : in_blocks(request, tables[t], value)) sums.push_back(plan.weights[t] * sum);
    return sums;
  });
  Release release = Release::of(kMargins, curator, std::move(noisy));
  for (std::size_t t = 0, value = 0; t < tables.size(); ++t) {
    if (plan.weights[t] <= 0) continue;
    for (const double sum : tables[t].add_up(about)) release.values[value++] += plan.weights[t] * sum;
  }
  release.chosen = {plan.window, plan.rest, plan.most_deviation};
  release.chosen.insert(release.chosen.end(), plan.weights.begin(), plan.weights.end());
  if (const std::optional<Blocks>& blocks = tables.back().blocks())
    release.chosen.insert(release.chosen.end(), blocks->lengths().begin(), blocks->lengths().end());
  return release;
}

void take_margins(const Release& released, const std::vector<MarginTable>& tables, MixedEffects& effects) {
  const std::size_t lengths = tables.back().blocks() ? tables.back().blocks()->lengths().size() : 0;
  if (released.chosen.size() != kFacts + tables.size() + lengths) fail_of_other_margins(released);
  const std::span weights = std::span(released.chosen).subspan(kFacts, tables.size());
  if (released.values.size() != values_of(tables, weights))
    fail("release '{}' is of other positions than these", released.id);
  const auto share = [](double weight) { return weight >= 0 && weight <= 1; };
  if (!std::ranges::all_of(weights, share) || !(released.chosen[1] >= 0) || !(released.chosen[2] >= 0))
    fail("release '{}' does not say how it was made; it cannot be refitted", released.id);
  auto next = released.values.begin();
  for (std::size_t t = 0; t < tables.size(); ++t) {
    if (weights[t] <= 0) continue;
    std::vector<double> sums(next, next + static_cast<std::ptrdiff_t>(tables[t].groups()));
    next += static_cast<std::ptrdiff_t>(sums.size());
    for (double& sum : sums) sum /= weights[t];
    effects.take(t, sums, std::pow(released.deviation / weights[t], 2));
  }
  effects.set_rest(released.chosen[1]);
  effects.set_most_deviation(released.chosen[2]);
}

// An entry, from -h to h, that changes changes the sum S of its group of n, which is n h at most, by up to 2
// h, hence S^2 / n by up to 2 h (2 n h - 2 h) / n < 4 h^2; its own square, by up to h^2. The grids of entries
// and of terms add two steps each. Terms of all groups of a table add up to at most n / 4, as squares do.
Release release_squares(const PrivateRequest& request, const std::vector<MarginTable>& tables, double level,
                        double window, double epsilon, Curator& curator) {
  const Range& range = request.data.range();
  const double cells = static_cast<double>(request.data.positions().size()), half = window / 2;
  const SumGrid grid(0.5, cells), terms(0.25, cells);
  const double rounding = 4 * grid.step() + 2 * terms.step();
  const double most =
      (static_cast<double>(tables.size()) - 1) * (4 * half * half + rounding) + half * half + rounding;
  const auto noise =
      AdditiveNoise::laplace(Sensitivity::l1(most, Unit::entry, Relation::replace), epsilon, tables.size());
  return Release::of(
      kSquares, curator,
      curator.release(request.data.observed(), noise, "squares of the means of positions",
                      [&](const SparseTensor& entries) {
                        const auto around = [&](std::size_t cell) {
                          return grid.round(std::clamp(
                              range.centred(entries.values()[cell]) / range.width() - level, -half, half));
                        };
                        const auto square = [&](std::size_t cell) {
                          return terms.round(around(cell) * around(cell));
                        };
                        std::vector<double> squares = in_blocks(request, tables[0], square);
                        for (std::size_t t = 1; t < tables.size(); ++t) {
                          const std::vector<double> sums = in_blocks(request, tables[t], around);
                          double total = 0;
                          for (std::size_t group = 0; group < sums.size(); ++group)
                            total += terms.round(sums[group] * sums[group] / tables[t].counts()[group]);
                          squares.push_back(total);
                        }
                        return squares;
                      }));
}

}  // namespace tulle
