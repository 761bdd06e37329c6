// A list of cells, grouped by their position in one mode; in the order of the list within a position.
#pragma once

#include <tulle/tensor/group_entries.hpp>
#include <tulle/tensor/sparse.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace tulle {

class CellsByPosition {
 public:
  CellsByPosition(const Cells& cells, int mode) : cells_(cells.size()) {
    starts_ = group_entries(
        cells.size(), cells.shape()[mode], [&](std::size_t cell) { return cells(cell, mode); },
        [&](std::size_t cell, std::size_t place) { cells_[place] = cell; });
  }

  std::size_t positions() const { return starts_.size() - 1; }
  std::size_t count(std::size_t position) const { return starts_[position + 1] - starts_[position]; }
  std::span<const std::size_t> cells(std::size_t position) const {
    return std::span(cells_).subspan(starts_[position], count(position));
  }
  // Those of them that the list has from `first` to before `last`.
  std::span<const std::size_t> cells(std::size_t position, std::size_t first, std::size_t last) const {
    const std::span<const std::size_t> all = cells(position);
    const auto begin = std::ranges::lower_bound(all, first);
    return {begin, std::ranges::lower_bound(begin, all.end(), last)};
  }
  // The same by places, for loops that look ahead: a position's cells are at begin(i) to before begin(i + 1).
  std::size_t begin(std::size_t position) const { return starts_[position]; }
  std::size_t cell(std::size_t place) const { return cells_[place]; }
  // Numbers of cells, in the order in which the cells are grouped.
  std::vector<Index> gathered(std::span<const Index> column) const {
    std::vector<Index> result(cells_.size());
    for (std::size_t place = 0; place < result.size(); ++place) result[place] = column[cells_[place]];
    return result;
  }
  std::size_t occupied() const {  // positions that have a cell
    std::size_t sum = 0;
    for (std::size_t i = 0; i < positions(); ++i) sum += count(i) > 0;
    return sum;
  }

 private:
  std::vector<std::size_t> starts_, cells_;
};

}  // namespace tulle
