// Counts of events in the cells of a tensor, as they are estimated from tables with noise, and how large the
// errors are: of every cell, and of the sum of any block of cells.
#pragma once

#include <tulle/model/sparse_counts.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// How the counts of a table are divided over the cells that it adds up has errors of its own, which are taken
// for independent of those of the table. So the error of a block is made of the errors of all tables: of the
// total as far as the block has a share of all events, and so on to those of single cells as far as the block
// does not have all of a mode.
struct Counts {
  DenseTensor cells;  // expected counts, 0 or more
  // Of the errors of a table by some modes, in C order of these. By sets of modes: bit m of an index stands
  // for mode m; the last is of all modes, which are the cells.
  std::vector<std::vector<double>> variances;
  // Instead of both, of a tensor with too many cells for an array.
  std::optional<SparseCounts> sparse = {};

  Shape shape() const { return sparse ? sparse->extent : cells.shape(); }
  std::vector<double> predict(const Cells& cells) const;
  DenseTensor reconstruct() const;  // an Error for a sparse form
  Estimated sum(const Block& block) const;
};

// By mode and position: the expected sums over all other modes.
std::vector<std::vector<double>> sums_by_position(const Counts& counts);

// Sums over many blocks of the same counts, which must live as long. An Error where a block has a position
// outside, or one twice.
class BlockSums {
 public:
  explicit BlockSums(const Counts& counts);
  Estimated operator()(const Block& block) const;

 private:
  double share(std::size_t mode, const std::vector<Index>& positions) const;

  const Counts& counts_;
  std::vector<std::vector<double>> shares_;  // of all events, by mode and position
  KeptCells kept_;                           // of a sparse form
};

// An Error unless sizes agree and no variance is negative: called for every model read from a file.
void check(const Counts& model);

}  // namespace tulle

#pragma GCC visibility pop
