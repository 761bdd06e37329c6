// Tucker decomposition of a tensor without missing cells: truncated HOSVD, and its refinement HOOI.
// Both minimise the squared error ||X - [[G; A, B, C, ..]]||^2 over orthonormal factors; Iteration::objective
// is that error.
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/solve/fit.hpp>

#include <vector>

namespace tulle {

struct TuckerOptions {
  std::vector<int>
      ranks;  // one per mode; reduced to at most the mode's size and the product of the other ranks
  Start start = Start::spectral;  // of hooi: the sequentially truncated HOSVD, or random orthonormal factors
  Control control;                // Iteration::change is the decrease of the error, relative to ||X||^2
};

// Sequentially truncated (Vannieuwenhoven, Vandebril, Meerbergen 2012): each mode is truncated to its rank
// before the next is decomposed. The error is at most the number of modes times the least one for these
// ranks, in a single pass.
Fit<Tucker> hosvd(const DenseTensor& tensor, const TuckerOptions& options);

// Higher-order orthogonal iteration (De Lathauwer, De Moor, Vandewalle 2000). The error never increases.
Fit<Tucker> hooi(const DenseTensor& tensor, const TuckerOptions& options);

// The same for a sparse tensor whose unlisted cells are zeros, in time proportional to the listed cells.
// Throws an Error if unlisted cells are missing.
Fit<Tucker> hooi(const SparseTensor& tensor, const TuckerOptions& options);

}  // namespace tulle
