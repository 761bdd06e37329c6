// Tucker decomposition of a tensor of which every cell is known: truncated HOSVD, and its refinement HOOI.
// Both minimise the squared error ||X - [[G; A, B, C, ..]]||^2 over orthonormal factors; Iteration::objective
// is that error.
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/solve/fit.hpp>

#include <vector>

namespace tulle {

struct TuckerOptions {
  std::vector<int>
      ranks;  // one per mode; larger than a mode or than the product of the other ranks is cut down
  Start start = Start::spectral;  // of hooi: the sequentially truncated HOSVD, or random orthonormal factors
  Control control;                // Iteration::change is the fall of the error, relative to ||X||^2
};

// Sequentially truncated (Vannieuwenhoven, Vandebril, Meerbergen 2012): each mode is cut to its rank before
// the next is looked at. At most the number of modes times the least error that these ranks allow, in one
// pass.
Fit<Tucker> hosvd(const DenseTensor& tensor, const TuckerOptions& options);

// Higher-order orthogonal iteration (De Lathauwer, De Moor, Vandewalle 2000). The error never rises.
Fit<Tucker> hooi(const DenseTensor& tensor, const TuckerOptions& options);

// The same for a sparse tensor with zero semantics, in time that grows with the listed cells; an Error for
// missing semantics.
Fit<Tucker> hooi(const SparseTensor& tensor, const TuckerOptions& options);

}  // namespace tulle
