// Neighbouring cells taken together as blocks, and the way back from blocks to cells.
//
// The sum of c entries has the sensitivity of one of them, so it needs the same noise: the mean of a block
// has 1/c of the noise of an entry, whereas the mean of c noisy entries has 1/sqrt(c) of it. Differences
// inside a block are lost. Where neighbours are alike (pixels, frames, hours) the error is far smaller.
#pragma once

#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

// Every mode cut into a number of runs of neighbouring positions, whose lengths differ by at most one.
class CellBlocks {
 public:
  CellBlocks(const Shape& cells, const std::vector<Index>& runs);

  const Shape& cells() const { return cells_; }
  const Shape& shape() const { return shape_; }               // runs per mode
  bool are_single_cells() const { return cells_ == shape_; }  // nothing is taken together
  Index run_of(int mode, Index position) const;
  std::size_t block_of(const Cells& cells, std::size_t entry) const;  // its place in C order of shape()

  // From values at the middles of a mode's runs to all of its positions: linear in between, constant beyond
  // the outermost. Positions x runs, of full column rank.
  Matrix interpolation(int mode) const;

 private:
  Shape cells_, shape_;
};

// How much entries differ, as half their mean squared difference: the cost of cutting.
struct Unlikeness {
  std::vector<double> per_step;  // neighbours along each mode; infinite where it must not be cut
  double apart = 0;              // any two; above 0 where a mode may be cut
};

// The blocks with the least expected error, if every entry of `cells` is observed with probability `observed`
// and the sum of a block is known up to noise of this variance.
CellBlocks best_blocks(const Shape& cells, double observed, double noise_variance, const Unlikeness& unlike);

}  // namespace tulle
