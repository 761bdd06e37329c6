// Bi-scaling: standardising the rows and the columns of matrices at once (Mazumder, Hastie and Tibshirani
// 2010; Hastie et al. 2015, section 7), and bringing predictions back.
//
// On private data, the means and variances used here are private. Scaling by them lies outside any guarantee:
// one value changes every value of its row and column, so the sensitivity is no longer the range of a value.
// (Wei et al. 2022, section 5.2, scale first and then add noise for the range.)
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tulle {

// Scales each matrix obtained by fixing a position in all modes but two: with modes user x movie x day, rows
// = 0 and columns = 1, one matrix per day. In each matrix
//
//   x[i,j] = mean + deviation * (row_center[i] + column_center[j] + row_scale[i] * column_scale[j] * z[i,j])
//
// where mean and standard deviation are those of the matrix, and alternating updates find centers and scales
// such that z has mean 0 and variance 1 over the observed entries of every row and of every column (variances
// divide by the number of entries).
//
// If that has no solution:
// - A row or column with one entry in its matrix keeps center 0 and scale 1: centering would erase its only
//   value.
// - A row or column whose entries come to agree (spread below 1/1000) keeps scale 1; its mean is still 0.
// - Scales are at most 1000.
// - A matrix of equal values has deviation 1.
// - A row or column that was not seen has center 0 and scale 1; a matrix not seen takes mean and deviation of
//   all entries.
// Not every pattern of observed entries has a solution. The updates then end after max_sweeps, and
// deviation_left() returns by how much the worst mean or variance misses. Restoring x from z is always exact.
class BiScaling {
 public:
  struct Options {
    int rows = 0;  // modes, 0-based
    int columns = 1;
    int max_sweeps = 200;
    double tolerance = 1e-7;  // stop when no mean and no variance misses by more
  };

  static BiScaling fit(const SparseTensor& data, const Options& options);
  static BiScaling fit(const SparseTensor& data) { return fit(data, Options()); }

  // Scales any cells of the shape: those fitted, or a test set.
  SparseTensor scale(const SparseTensor& data) const;

  // Restores predictions of scaled values, one per cell, to the scale of the data.
  std::vector<double> restore(const Cells& cells, std::span<const double> predictions) const;

  int sweeps() const { return sweeps_; }
  double deviation_left() const { return deviation_left_; }

 private:
  struct Level {  // of a matrix
    double mean = 0;
    double deviation = 1;
  };
  struct Lines {  // the rows or the columns of all matrices
    int mode;
    std::vector<std::uint64_t> keys;  // by matrix and position, ascending
    std::vector<double> centers;
    std::vector<double> scales;
  };
  struct Affine {  // x = offset + slope * z
    double offset;
    double slope;
  };
  struct Groups;
  class Sweeper;

  BiScaling(const Shape& shape, const Options& options);
  std::uint64_t matrix_key(const Cells& cells, std::size_t entry) const;
  std::uint64_t line_key(const Lines& lines, std::size_t matrix, Index position) const;
  std::vector<double> level(std::span<const float> values, std::span<const std::size_t> matrix_of);
  Affine at(const Cells& cells, std::size_t entry) const;
  void check_cells(const Cells& cells) const;

  Shape shape_;
  Lines rows_, columns_;
  std::vector<std::uint64_t> matrices_;  // keys of the matrices seen, ascending
  std::vector<Level> levels_;            // of the matrices seen
  Level overall_;
  int sweeps_ = 0;
  double deviation_left_ = 0;
};

}  // namespace tulle
