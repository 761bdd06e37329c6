// Margins of a tensor: its observed cells, grouped by their positions in a few modes. Public where positions
// are.
#pragma once

#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tulle {

class MarginTable {
 public:
  // Groups are the combinations of positions that have a cell, in C order; no modes: all cells are one group.
  MarginTable(const Cells& cells, std::vector<int> modes);

  const std::vector<int>& modes() const { return modes_; }
  std::size_t groups() const { return counts_.size(); }
  std::size_t group(std::size_t cell) const { return modes_.empty() ? 0 : group_[cell]; }
  std::span<const double> counts() const { return counts_; }               // of cells, by group
  std::size_t member(std::size_t group) const { return members_[group]; }  // one of the group's cells
  // What positions tell of the groups of a single mode, one row each: position_traits().
  const Matrix& traits() const { return traits_; }
  void set_traits(Matrix traits) { traits_ = std::move(traits); }
  // Whether each group is part of one group of the other.
  bool refines(const MarginTable& other) const;

  // The sums over the cells of each group, or over those of them that are in a block of the list.
  template <class Value>
  std::vector<double> add_up(Value&& value) const {
    return add_up(0, cells_, value);
  }
  template <class Value>
  std::vector<double> add_up(std::size_t begin, std::size_t end, Value&& value) const {
    std::vector<double> sums(groups());
    for (std::size_t cell = begin; cell < end; ++cell) sums[group(cell)] += value(cell);
    return sums;
  }

 private:
  std::vector<int> modes_;
  std::size_t cells_;
  std::vector<std::uint32_t> group_;
  std::vector<double> counts_;
  std::vector<std::size_t> members_;
  Matrix traits_;
};

// The margins worth releasing: of no mode, of each mode, and of pairs of modes whose groups have two cells or
// more on average. Pairs are of tensors of three modes or more, and of sizes that a dense matrix is fitted to
// in time.
std::vector<MarginTable> margin_tables(const Cells& cells);

}  // namespace tulle
