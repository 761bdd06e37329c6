// The best approximation of a full tensor by a given tubal rank: its truncated t-SVD (Kilmer and Martin 2011,
// theorem 4.3).
#pragma once

#include <tulle/model/tubal.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/dense.hpp>

namespace tulle {

// One iteration, whose objective is the relative error |X - X_rank| / |X|. Throws an Error unless the tensor
// has 3 modes or more and the rank is between 1 and the smaller of the first two sizes.
Fit<Tubal> tubal_decompose(const DenseTensor& tensor, int rank);

}  // namespace tulle
