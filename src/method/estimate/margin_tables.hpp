// Margins of a tensor: its observed cells, grouped by their positions in a few modes. Public where positions
// are.
#pragma once

#include <tulle/data/mode_order.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tulle {

// Runs of neighbouring positions of every mode, so many in each; one where a mode has no order.
class Blocks {
 public:
  // Blocks of at least so many cells on average; modes whose order is stated have about as many each. Empty
  // where that makes no table: no such mode, or blocks of one position or of all.
  Blocks(const Cells& cells, const std::vector<ModeOrder>& orders, double cells_of_a_block);
  // Of these lengths.
  Blocks(const Shape& shape, const std::vector<ModeOrder>& orders, std::vector<Index> lengths);

  bool empty() const { return lengths_.empty(); }
  const std::vector<Index>& lengths() const { return lengths_; }
  bool in_runs(int mode) const { return lengths_[mode] > 1; }
  Index count(int mode) const { return counts_[mode]; }
  Index of(int mode, Index position) const { return in_order_[mode][position] / lengths_[mode]; }
  // Of a position, the place between the middles of blocks; whole numbers are middles.
  double between(int mode, Index position) const {
    return (in_order_[mode][position] + 0.5) / lengths_[mode] - 0.5;
  }

 private:
  void set(const Shape& shape, const std::vector<ModeOrder>& orders);

  std::vector<Index> lengths_, counts_;
  std::vector<std::vector<Index>> in_order_;  // positions of every mode
};

class MarginTable {
 public:
  // Groups are the combinations of positions that have a cell, in C order; no modes: all cells are one group.
  MarginTable(const Cells& cells, std::vector<int> modes);
  // Groups are the blocks that have a cell.
  MarginTable(const Cells& cells, Blocks blocks);

  const std::vector<int>& modes() const { return modes_; }
  const std::optional<Blocks>& blocks() const { return blocks_; }
  bool is_of_positions(std::size_t modes) const { return !blocks_ && modes_.size() == modes; }
  std::size_t groups() const { return counts_.size(); }
  std::size_t group(std::size_t cell) const { return modes_.empty() ? 0 : group_[cell]; }
  std::span<const double> counts() const { return counts_; }               // of cells, by group
  std::size_t member(std::size_t group) const { return members_[group]; }  // one of the group's cells
  // What positions tell of the groups of a single mode, one row each: position_traits().
  const Matrix& traits() const { return traits_; }
  void set_traits(Matrix traits) { traits_ = std::move(traits); }
  // Whether each group is part of one group of the other. Of blocks only the table itself is known to be.
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
  void number(const std::vector<std::uint64_t>& keys);

  std::vector<int> modes_;
  std::optional<Blocks> blocks_;
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
