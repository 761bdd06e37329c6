// Products of a large row-major matrix with one of few columns. BLAS copies the large one into an order of
// its own first, which takes as long as multiplying it with so few columns.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <cstddef>

namespace tulle {

using StridedRows = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;

// b has so many columns; its rows and those of c are padded by zeros to `stride` numbers, a multiple of 4, as
// those of a Panel are.
void add_narrow_product(const StridedRows& a, const double* b, std::size_t columns, std::size_t stride,
                        double* c);  // c += a b
void add_narrow_transposed_product(const StridedRows& a, const double* b, std::size_t columns,
                                   std::size_t stride, double* c);  // c += a^T b

}  // namespace tulle
