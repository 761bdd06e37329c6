// Products of a large row-major matrix with one of few columns. BLAS copies the large one into an order of
// its own first, which takes as long as multiplying it with so few columns.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

using StridedRows = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;

Matrix narrow_product(const StridedRows& a, const Eigen::Ref<const Matrix>& b);             // a b
Matrix narrow_transposed_product(const StridedRows& a, const Eigen::Ref<const Matrix>& b);  // a^T b

}  // namespace tulle
