// A Tucker model of normal numbers, and the penalty that a fit of some cells would have.
#pragma once

#include "tensor/samples.hpp"
#include "tucker/completion.hpp"

#include <tulle/model/tucker.hpp>

namespace tulle::samples {

inline Tucker tucker(const Shape& shape, const Shape& ranks, std::uint64_t seed) {
  Tucker model{dense(ranks, seed), {}, {}};
  for (int mode = 0; mode < shape.order(); ++mode)
    model.factors.push_back(matrix(shape[mode], ranks[mode], seed + 1 + static_cast<std::uint64_t>(mode)));
  return model;
}

inline double largest_difference(const Tucker& a, const Tucker& b) {  // of the predictions
  return largest_difference(a.reconstruct().values(), b.reconstruct().values());
}

// Ridges of rows and core, the same for all columns, as for these cells.
inline Penalty penalty(const SparseTensor& cells, const Shape& ranks, double row_ridge, double core_ridge) {
  Penalty result;
  result.cells = static_cast<double>(cells.size());
  result.core_ridge = core_ridge;
  result.core_cell_ridge = Vector::Zero(static_cast<Eigen::Index>(ranks.cells()));
  for (int mode = 0; mode < cells.order(); ++mode) {
    result.row_ridge.push_back(row_ridge);
    result.cell_ridge.push_back(Vector::Zero(ranks[mode]));
    result.counts.push_back(Vector::Zero(cells.shape()[mode]));
    for (Index position : cells.column(mode)) result.counts.back()[position] += 1;
  }
  return result;
}

}  // namespace tulle::samples
