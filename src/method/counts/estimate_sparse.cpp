#include "estimate_sparse.hpp"

#include "cells_above.hpp"
#include "count_table.hpp"
#include "estimate_counts.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

ModeSet set_of(int mode) {
  return ModeSet{1} << mode;
}

double total_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

class ForestOfCounts {
 public:
  explicit ForestOfCounts(const Measurement& measured)
      : shape_(measured.shape), measured_(measured), tables_(estimate_tables(measured, 2)) {}

  Counts run() {
    SparseCounts counts{.extent = shape_,
                        .events = {tables_[0].means.front(), std::sqrt(tables_[0].variances.front())},
                        .modes = {},
                        .places = {},
                        .counts = {},
                        .variances = {}};
    for (int mode = 0; mode < shape_.order(); ++mode)
      if (tables_[set_of(mode)].means.empty())
        fail("the releases lack counts by mode {}; they cannot be refitted", mode + 1);
    choose_edges();
    std::vector<ModeShares> tables;
    for (const auto& [mode, parent] : edges_) tables.push_back(table_of(mode, parent));
    for (const ModeShares& table : tables) counts.modes.push_back(normalized(table));
    keep_cells(counts);
    take_kept_from(tables, counts);
    return {DenseTensor(Shape{1, 1}), {}, std::move(counts)};
  }

 private:
  struct Edge {
    int mode, parent;
  };

  const PosteriorCounts& pair(int one, int other) const { return tables_[set_of(one) | set_of(other)]; }

  // What a pair of modes says beyond its single modes: its mutual information.
  double information(int one, int other) const {
    const std::vector<double>& means = pair(std::min(one, other), std::max(one, other)).means;
    if (means.empty()) return 0;
    const std::size_t columns = shape_[std::max(one, other)];
    const double all = total_of(means);
    std::vector<double> rows(means.size() / columns), across(columns);
    for (std::size_t cell = 0; cell < means.size(); ++cell) {
      rows[cell / columns] += means[cell];
      across[cell % columns] += means[cell];
    }
    double sum = 0;
    for (std::size_t cell = 0; cell < means.size(); ++cell)
      if (means[cell] > 0)
        sum += means[cell] * std::log(means[cell] * all / (rows[cell / columns] * across[cell % columns]));
    return sum;
  }

  // Prim's algorithm: the next mode is the one that depends the most on one that is there.
  void choose_edges() {
    const int order = shape_.order();
    std::vector<double> most(static_cast<std::size_t>(order));
    std::vector<int> parent(static_cast<std::size_t>(order), -1);
    std::vector<bool> in(static_cast<std::size_t>(order));
    for (int step = 0; step < order; ++step) {
      int next = -1;
      for (int mode = 0; mode < order; ++mode)
        if (!in[at(mode)] && (next < 0 || most[at(mode)] > most[at(next)])) next = mode;
      in[at(next)] = true;
      edges_.push_back({next, parent[at(next)]});
      for (int mode = 0; mode < order; ++mode) {
        if (in[at(mode)]) continue;
        const double known = information(next, mode);
        if (known > most[at(mode)]) {
          most[at(mode)] = known;
          parent[at(mode)] = next;
        }
      }
    }
  }

  static std::size_t at(int mode) { return static_cast<std::size_t>(mode); }

  // With counts in the place of shares.
  ModeShares table_of(int mode, int parent) const {
    if (parent < 0) {
      const PosteriorCounts& single = tables_[set_of(mode)];
      return {mode, parent, single.means, single.variances};
    }
    const PosteriorCounts& both = pair(mode, parent);
    if (parent < mode) return {mode, parent, both.means, both.variances};
    ModeShares turned{mode, parent, std::vector<double>(both.means.size()),
                      std::vector<double>(both.means.size())};
    const std::size_t rows = shape_[parent], columns = shape_[mode];
    for (std::size_t column = 0; column < columns; ++column)
      for (std::size_t row = 0; row < rows; ++row) {
        turned.shares[row * columns + column] = both.means[column * rows + row];
        turned.variances[row * columns + column] = both.variances[column * rows + row];
      }
    return turned;
  }

  ModeShares normalized(ModeShares node) const {
    const std::size_t columns = shape_[node.mode];
    for (auto row = node.shares.begin(); row != node.shares.end();
         row += static_cast<std::ptrdiff_t>(columns)) {
      const auto end = row + static_cast<std::ptrdiff_t>(columns);
      const double all = std::accumulate(row, end, 0.0);
      for (auto share = row; share != end; ++share)
        *share = all > 0 ? *share / all : 1 / static_cast<double>(columns);
    }
    return node;
  }

  void check_cells_above(const Release& cells) const {
    constexpr double kMostThreshold = 0x1p52;
    const bool threshold =
        cells.chosen.size() == 1 && cells.chosen[0] >= 1 && cells.chosen[0] <= kMostThreshold;
    if (!threshold || cells.places.size() != cells.values.size() || cells.places.back() >= shape_.cells())
      fail("release '{}' is not of cells of a {} tensor", cells.id, shape_.text());
  }

  // Where a cell differs from the forest by half an event, or has events and is known to half of one.
  void keep_cells(SparseCounts& counts) const {
    constexpr double kHalf = 0.5;
    const auto cells = std::ranges::find(measured_.releases, kCellsAbove, &Release::id);
    if (cells == measured_.releases.end()) return;
    check_cells_above(*cells);
    const ThresholdedCells table{static_cast<double>(shape_.cells()), cells->deviation * cells->deviation,
                                 static_cast<std::int64_t>(cells->chosen.at(0))};
    const PosteriorCounts posterior = posterior_above(cells->values, table, counts.events.mean);
    for (std::size_t i = 0; i < cells->places.size(); ++i) {
      const double away = std::abs(posterior.means[i] - counts.of_forest(cells->places[i]));
      const bool known = posterior.means[i] >= kHalf && posterior.variances[i] <= kHalf * kHalf;
      if (away < kHalf && !known) continue;
      counts.places.push_back(cells->places[i]);
      counts.counts.push_back(posterior.means[i]);
      counts.variances.push_back(posterior.variances[i]);
    }
  }

  // What kept cells have is no longer divided by the forest, which divides all else over the other cells.
  void take_kept_from(std::vector<ModeShares>& tables, SparseCounts& counts) const {
    for (ModeShares& table : tables)
      for (std::size_t i = 0; i < counts.places.size(); ++i) {
        const auto cell = cell_of_place(shape_, counts.places[i]);
        const std::size_t row = table.parent < 0 ? 0 : cell[at(table.parent)];
        double& count = table.shares[row * shape_[table.mode] + cell[at(table.mode)]];
        count = std::max(0.0, count - counts.counts[i]);
      }
    for (std::size_t node = 0; node < tables.size(); ++node)
      counts.modes[node] = normalized(std::move(tables[node]));
    const double left = std::max(0.0, counts.events.mean - total_of(counts.counts));
    counts.events.mean = 1;
    double share = 1;
    for (const std::uint64_t place : counts.places) share -= counts.of_forest(place);
    counts.events.mean = share > 0 ? left / share : 0;
  }

  Shape shape_;
  const Measurement& measured_;
  std::vector<PosteriorCounts> tables_;
  std::vector<Edge> edges_;
};

}  // namespace

Counts estimate_sparse(const Measurement& measured) {
  return ForestOfCounts(measured).run();
}

}  // namespace tulle
