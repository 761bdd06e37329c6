// Sums of gradients in which no cell, or no slice, counts for more than a given length. Solvers know no
// privacy: this is the sum that a private method adds noise to.
//
// The loss of a cell is (x - level - scale f)^2 / (2 scale^2) for the prediction f of the model's numbers;
// what is summed is its negative gradient, the way down. Clipped gradients are rounded to a grid that follows
// from the shape and the clip (base/sum_grid.hpp): sums of up to 2^31 cells or 2^27 slices are exact, so that
// one gradient more or less changes a sum by no more than the clip. Gradients that are not finite add
// nothing. Sums do not depend on the number of threads.
#pragma once

#include <tulle/tensor/model_layout.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tulle {

// What values are before a model sees them: (x - level) / scale.
struct Standard {
  double level = 0, scale = 1;
};

// A sum, and how many of its gradients were short enough to be added whole and how many were not.
struct ClippedSum {
  std::vector<double> numbers;
  std::size_t whole = 0, clipped = 0;

  bool operator==(const ClippedSum&) const = default;
};

// One clipped gradient a cell, of all numbers that the cell touches together. The cells are kept in an order
// of their own: `cells` below are numbers in that order, 0 .. size()-1, ascending.
class ClippedCells {
 public:
  virtual ~ClippedCells() = default;
  virtual std::size_t size() const = 0;
  // One at a time: sums share memory to work in.
  virtual ClippedSum sum(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                         double clip) const = 0;
};

class CellGradients final : public ClippedCells {
 public:
  // `share`: the part of the cells that a sum is expected to be over, to cut the work by.
  CellGradients(const SparseTensor& observed, const ModelLayout& layout, const Standard& standard,
                double share = 1);
  ~CellGradients() override;

  std::size_t size() const override;
  ClippedSum sum(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                 double clip) const override;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// What the cells of slices are: one table, or several in one tensor, each of which has its own mean, and of
// which some rows are constants.
struct SliceTables {
  std::vector<Standard> standards;        // one per table
  int table_mode = -1;                    // whose position says which table a cell is of; -1: there is one
  std::vector<Index> constant_from = {};  // per mode: from this position on rows are constants; empty: none

  SliceTables(const Standard& standard) : standards{standard} {}  // NOLINT: one table is its standard
  SliceTables(std::vector<Standard> each, int mode, std::vector<Index> constants)
      : standards(std::move(each)), table_mode(mode), constant_from(std::move(constants)) {}

  bool is_constant(int mode, Index position) const {
    return !constant_from.empty() && position >= constant_from[static_cast<std::size_t>(mode)];
  }
};

// One clipped gradient a slice along `mode`, of the numbers of all other modes and the core. The rows of the
// mode itself are no part of the sum: each slice fits its own row to its own cells, by ridge regression,
// before its gradient is taken. Cells of all tables count together. Constant rows have no gradient: their
// part of the sum is zero.
class ClippedSlices {
 public:
  virtual ~ClippedSlices() = default;
  virtual std::size_t slices() const = 0;

  // `slices` ascending. The part of the sum that belongs to `mode` is zero. A slice without cells counts for
  // nothing.
  virtual ClippedSum sum(std::span<const double> numbers, double ridge, std::span<const std::uint64_t> slices,
                         double clip) const = 0;
  // The numbers with a fitted row of `mode` for every slice, in own_layout().
  virtual std::vector<double> with_own_rows(std::span<const double> numbers, double ridge) const = 0;
  virtual ModelLayout own_layout() const = 0;
};

class SliceGradients final : public ClippedSlices {
 public:
  // The size of `mode` in the layout does not matter: its first row is where a slice starts from, and how
  // many slices there are is the tensor's affair.
  SliceGradients(const SparseTensor& observed, const ModelLayout& layout, int mode, SliceTables tables);

  std::size_t slices() const override { return starts_.size() - 1; }
  ClippedSum sum(std::span<const double> numbers, double ridge, std::span<const std::uint64_t> slices,
                 double clip) const override;
  std::vector<double> with_own_rows(std::span<const double> numbers, double ridge) const override;
  ModelLayout own_layout() const override { return layout_.with(mode_, slices()); }

 private:
  class Worker;

  ModelLayout layout_;
  int mode_;
  SliceTables tables_;
  SparseTensor sorted_;              // by slice
  std::vector<std::size_t> starts_;  // of the slices
};

}  // namespace tulle
