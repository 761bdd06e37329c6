// The algebra of the t-product (Kilmer and Martin 2011; N-way: Martin, Shafer, LaRue 2013): tensors as
// matrices whose entries are tubes, which multiply by circular convolution along modes 3..N. All of these
// need 3 modes or more.
#pragma once

#include <tulle/tensor/dense.hpp>

namespace tulle {

// (A * B)(i, j) = sum_k A(i, k) conv B(k, j) for A of n1 x m x n3 .. and B of m x n2 x n3 ..
DenseTensor t_product(const DenseTensor& a, const DenseTensor& b);

}  // namespace tulle
