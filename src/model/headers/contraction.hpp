// Sums of products of arrays whose dimensions are named by indices, such as
//   x[u,p,a] = sum over k, l, m of U[u,k] P[p,l] A[a,m] G[k,l,m].
// Indices are numbers into a list of sizes; an array lists its own in C order.
#pragma once

#include <tulle/base/prefetch.hpp>
#include <tulle/model/axes.hpp>
#include <tulle/tensor/shape.hpp>

#include <span>
#include <vector>

namespace tulle {

// result = sum of left * right over the indices that the result does not have. Along indices that only the
// result has, values are repeated.
class PairLoop {
 public:
  PairLoop(std::span<const Index> sizes, const Axes& result, const Axes& left, const Axes& right);

  void run(double* result, const double* left, const double* right) const;
  std::size_t products() const { return products_; }  // number of products in one run

 private:
  struct Stride {
    std::size_t size, result, left, right;
  };
  struct Offset {
    std::size_t result, left, right;
  };

  void run_from(std::size_t outer, double* result, const double* left, const double* right) const;

  std::vector<Stride> outer_;    // long indices, from large strides to small
  std::vector<Offset> offsets_;  // all combinations of the short ones
  Stride inner_{1, 0, 0, 0};
  std::size_t products_ = 1, result_size_ = 1;
  bool sums_ = false;
};

struct Operand {
  Axes axes;
  std::span<const double> values;
};

// The product of all operands, summed over the indices that `result` does not have. Operands are multiplied
// two at a time, first the pair whose product exceeds its parts by the fewest values.
std::vector<double> contract(std::span<const Index> sizes, std::vector<Operand> operands, const Axes& result);

// The same product cell by cell: the cell fixes the indices in `levels`, those in `kept` remain and the
// others are summed. An operand enters as soon as all its fixed indices are known, so that cells with equal
// first levels share that part of the work. Operands list their fixed indices first.
class CellContraction {
 public:
  CellContraction(std::span<const Index> sizes, const std::vector<Axes>& operands, Axes levels, Axes kept);

  // Intermediate products for the current cell. One per thread.
  struct Workspace {
    std::vector<std::vector<double>> buffers;
    std::vector<const double*> products;  // after every step
  };
  Workspace workspace() const;

  // The values over `kept`. `cell` has a position for every level; those before `fresh` equal the positions
  // of the previous call; 0 in the first call.
  const double* operator()(Workspace& space, std::span<const double* const> operands, const Index* cell,
                           int fresh) const;

  // Prefetches the operands' values at a later cell.
  inline __attribute__((always_inline)) void prefetch(std::span<const double* const> operands,
                                                      const Index* cell) const {
    for (const Step& step : steps_) {
      const double* slice = operands[step.operand];
      for (const auto& [level, stride] : step.offsets) slice += cell[level] * stride;
      prefetch_to_read(slice, 2 * kDoublesPerLine);  // slices are often longer than one line
    }
  }

  double work() const { return work_; }  // multiplications per cell that shares none

 private:
  struct Step {
    std::size_t operand;
    int level;                                         // -1 if no index is fixed
    std::vector<std::pair<int, std::size_t>> offsets;  // levels and their strides in the operand
    bool is_slice;                                     // the operand's slice itself is the product so far
    PairLoop loop;
  };

  std::vector<Step> steps_;
  std::vector<std::size_t> sizes_;  // of the product after each step
  std::vector<std::size_t> first_;  // step of each level; steps without a level come first
  std::size_t kept_size_;
  double work_ = 0;
};

}  // namespace tulle
