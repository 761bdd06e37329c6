// Orthonormal bases.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>

namespace tulle {

// The leading left singular vectors of an unfolding: as eigenvectors of its Gram matrix, on whichever side
// that is smaller.
Matrix leading_left_vectors(const DenseTensor& tensor, int mode, int count);
Matrix leading_left_vectors(const Matrix& unfolded, int count);

// The orthonormal factor of a QR decomposition. Unlike a division by singular values it stays orthonormal
// when the rank is less than the number of columns.
Matrix orthonormal(const Matrix& columns);

}  // namespace tulle
