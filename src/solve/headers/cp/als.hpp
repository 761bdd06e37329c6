// CP decomposition of a tensor with no missing cell, by alternating least squares (Carroll and Chang 1970,
// Harshman 1970).
#pragma once

#include <tulle/model/cp.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

namespace tulle {

struct CpAlsOptions {
  int rank = 10;
  double ridge =
      0;  // added to the diagonal of every least-squares problem, relative to its mean diagonal entry
  Start start = Start::random;
  Control control;
};

// Minimises the squared error over all cells. The columns of the factors have length 1; the weights are
// nonnegative and in decreasing order. Iteration::objective is the relative error |X - model| / |X|,
// Iteration::change the change of the fit, 1 - objective. The error is computed without a pass over the data,
// and cancellation limits its accuracy: errors below 1e-7 appear as about 1e-7.
Fit<Cp> cp_als(const DenseTensor& tensor, const CpAlsOptions& options = {});

// Unlisted cells are zeros, and the work is proportional to the listed ones. Throws an Error if unlisted
// cells are missing instead; see complete_cp_als for that.
Fit<Cp> cp_als(const SparseTensor& tensor, const CpAlsOptions& options = {});

}  // namespace tulle
