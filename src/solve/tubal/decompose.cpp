#include "convergence.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/tubal/decompose.hpp>
#include <tulle/tensor/kernels/norms.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <cmath>

namespace tulle {

Fit<Tubal> tubal_decompose(const DenseTensor& tensor, int rank) {
  Convergence convergence(Control{.max_iterations = 1});
  if (rank < 1) fail("rank {}: give 1 or more singular tubes", rank);
  TSvd svd = t_svd(tensor, rank);
  const double square = squared_norm(tensor);
  convergence.record(square > 0 ? svd.residual / std::sqrt(square) : 0, 0);
  return std::move(convergence).finish(Tubal{std::move(svd.u), std::move(svd.s), std::move(svd.v), {}});
}

}  // namespace tulle
