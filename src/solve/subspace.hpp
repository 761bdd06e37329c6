// Orthonormal bases.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>

namespace tulle {

// The leading left singular vectors of an unfolding, from the eigenvectors of its Gram matrix, on the side
// where that is smaller.
struct LeftVectors {
  Matrix vectors;
  double square;  // of the norm of the tensor, which is the trace of the Gram matrix
};
LeftVectors leading_left_vectors(const DenseTensor& tensor, int mode, int count);
Matrix leading_left_vectors(const Matrix& unfolded, int count);

}  // namespace tulle
