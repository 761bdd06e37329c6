// CP decomposition of a tensor whose every cell is known, by alternating least squares (Carroll and Chang
// 1970, Harshman 1970).
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

// Minimises the squared error over all cells. The columns of the factors have length 1, the weights fall and
// are at least 0. Iteration::objective is the relative error |X - model| / |X|, Iteration::change how much
// the fit, 1 - objective, moved. It is computed without a pass over the data, and differences of large
// numbers limit it: errors below 1e-7 read as about 1e-7.
Fit<Cp> cp_als(const DenseTensor& tensor, const CpAlsOptions& options = {});

// The cells that are not listed are zeros: work grows with the listed ones. An Error when they are missing
// instead; see complete_cp_als for that.
Fit<Cp> cp_als(const SparseTensor& tensor, const CpAlsOptions& options = {});

}  // namespace tulle
