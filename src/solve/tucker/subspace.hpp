// Orthonormal bases for the Tucker solvers.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>

#include <vector>

namespace tulle {

// The leading left singular vectors of an unfolding: as eigenvectors of its Gram matrix, on whichever side
// that is smaller.
Matrix leading_left_vectors(const DenseTensor& tensor, int mode, int count);
Matrix leading_left_vectors(const Matrix& unfolded, int count);

std::vector<Matrix> random_orthonormal(const Shape& shape, const std::vector<int>& ranks, std::uint64_t seed);

}  // namespace tulle
