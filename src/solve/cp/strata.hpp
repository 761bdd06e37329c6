// Observed cells cut into blocks that can be visited at the same time.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tulle {

// The positions of every mode are dealt out to P parts, which makes P^N blocks of cells. A stratum is a set
// of P blocks no two of which share a part in any mode, hence no row of any factor: they can be updated in
// parallel, and the outcome is that of one after the other (Gemulla et al. 2011; for tensors Smith, Park and
// Karypis 2016). P follows from the data, never from the number of threads.
//
// Positions are renumbered so that those of a part lie side by side.
class Strata {
 public:
  // With a share below 1, no more than that part of the cells is visited at a time, and P is smaller.
  explicit Strata(const SparseTensor& observed, double share = 1);

  int order() const { return order_; }
  std::size_t parts() const { return parts_; }
  std::size_t count() const { return blocks_ / parts_; }

  // The words of the cells of a block: order() new positions and the bits of the value, cell after cell. The
  // block is the one of stratum s that holds part b of the first mode.
  std::span<std::uint32_t> block(std::size_t s, std::size_t b);

  // Cells are numbered in the order of their words; a block holds cells first .. last-1.
  struct CellRange {
    std::size_t first, last;
  };
  CellRange cells(std::size_t s, std::size_t b) const;
  const std::uint32_t* words() const { return words_.data(); }

  const std::vector<Index>& new_positions(int mode) const { return new_positions_[mode]; }
  const std::vector<std::uint32_t>& counts(int mode) const {
    return counts_[mode];
  }  // of cells, by new position

  Cells renumbered(const Cells& cells) const;

 private:
  void deal(const SparseTensor& observed, int mode);

  int order_;
  std::size_t parts_, blocks_;
  std::vector<std::vector<Index>> new_positions_;
  std::vector<std::vector<std::uint8_t>> part_of_;  // by new position
  std::vector<std::vector<std::uint32_t>> counts_;
  std::vector<std::size_t> starts_;  // of the blocks, in cells
  std::vector<std::uint32_t> words_;
};

}  // namespace tulle
