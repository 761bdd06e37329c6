// The margins of a tensor: sums of its entries over every position of a mode, and over every pair of
// positions of two modes. A sum of n entries needs the noise of one, so where two positions share many cells
// the margins determine the effects of positions and of pairs far better than noisy entries do.
#pragma once

#include "estimate/cells_by_position.hpp"
#include "estimate/shrunk_matrix.hpp"

#include <tulle/base/sum_grid.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/model/cp.hpp>

#include <optional>
#include <vector>

namespace tulle {

// For single entries at public positions, under replace. All noise is pure.
class MarginSums {
 public:
  // Below it, noisy entries determine pairs nearly as well, and interactions of all modes much better.
  static constexpr int kCellsOfAPair = 40;
  // Whether there are three modes or more, and each has another with which every pair of positions has cells
  // enough.
  static bool suit(const Cells& cells);

  // About the error that the noise of one release leaves in effects of rank 1, relative to the range.
  static double error(const Cells& cells, double epsilon);

  MarginSums(const Cells& cells, const Range& range);

  // Releases them for this epsilon, added up over blocks of so many cells, and estimates anew from everything
  // that was released by now.
  Releases release(const PrivateTensor& data, double epsilon, std::size_t block_size, Curator& curator);

  // The estimate from what was released before. An Error where it was not released of these cells.
  void take(const Measurement& measured);

  bool found_pairs() const;

  // An effect of every position, and of pairs of them: for two modes a matrix of low rank, each component of
  // which is one of the model, constant in the modes that are left.
  Cp model() const;

 private:
  // One mode, or two. Matrices have a row for every position of the first, a column for every one of the
  // second, or a single column.
  struct Block {
    std::vector<int> modes;
    Matrix counts;
    Matrix sums;           // released: of the entries less the middle of the range
    double precision = 0;  // 1 / variance of the noise on a sum
    ShrunkMatrix effect;
    Matrix effects;  // the same as a matrix
  };

  Block block(std::vector<int> modes) const;
  std::vector<double> weights() const;
  SumGrid grid() const { return {1, static_cast<double>(cells_.size())}; }  // for sums of cells
  std::vector<double> exact_sums(const SparseTensor& entries, std::size_t block_size) const;
  std::vector<double> exact_spread(const SparseTensor& entries, std::size_t block_size) const;
  Release release_sums(const PrivateTensor& data, double epsilon, std::size_t block_size, Curator& curator);
  Release release_spread(const PrivateTensor& data, double epsilon, std::size_t block_size, Curator& curator);
  std::size_t places() const;  // of all blocks
  void take_sums(const Release& sums);
  void take_spread(const Release& spread);
  void estimate();
  void update(Block& block);
  // Of value(cell) over the cells from `begin` to `end`, for every place of the block.
  template <class Value>
  std::vector<double> add_up(const Block& block, std::size_t begin, std::size_t end, Value&& value) const;

  const Cells& cells_;
  Range range_;
  std::vector<CellsByPosition> groups_;  // of every mode
  std::vector<Block> blocks_;
  double level_ = 0;              // the mean, less the middle of the range
  std::vector<double> expected_;  // of every cell, less the middle
  std::optional<double> spread_;  // variance of the entries around it
};

}  // namespace tulle
