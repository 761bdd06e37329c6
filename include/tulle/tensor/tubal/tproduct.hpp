// The algebra of the t-product (Kilmer and Martin 2011; N-way: Martin, Shafer, LaRue 2013): tensors as
// matrices whose entries are tubes, which multiply by circular convolution along modes 3..N. All of these
// need 3 modes or more.
#pragma once

#include <tulle/tensor/dense.hpp>

namespace tulle {

// (A * B)(i, j) = sum_k A(i, k) conv B(k, j) for A of n1 x m x n3 .. and B of m x n2 x n3 ..
DenseTensor t_product(const DenseTensor& a, const DenseTensor& b);

// Transposes every slice and reverses the order of slices in modes 3..N: (i, j, k, ..) goes to (j, i, -k, ..)
// modulo the sizes. Without the reversal, which dai2026 omits, (A * B)^T = B^T * A^T does not hold.
DenseTensor t_transpose(const DenseTensor& a);

// n x n x n3 ..: the slice at 0 is the identity matrix, the others are zero. `shape` has equal first and
// second sizes.
DenseTensor t_identity(const Shape& shape);

}  // namespace tulle
