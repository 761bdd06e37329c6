// Products of a large row-major matrix with one of few columns. BLAS copies the large one into an order of
// its own first, which takes as long as multiplying it with so few columns. The large one may have floats,
// which are multiplied and added as doubles.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <cstddef>

namespace tulle {

template <class Cell>
using RowsOf = Eigen::Matrix<Cell, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Cell>
using StridedRowsOf = Eigen::Map<const RowsOf<Cell>, 0, Eigen::OuterStride<>>;
using StridedRows = StridedRowsOf<double>;

// b has so many columns; its rows and those of c are padded by zeros to `stride` numbers, a multiple of 4, as
// those of a Panel are.
// c += a b
void add_narrow_product(const StridedRowsOf<double>& a, const double* b, std::size_t columns,
                        std::size_t stride, double* c);
void add_narrow_product(const StridedRowsOf<float>& a, const double* b, std::size_t columns,
                        std::size_t stride, double* c);
// c += a^T b
void add_narrow_transposed_product(const StridedRowsOf<double>& a, const double* b, std::size_t columns,
                                   std::size_t stride, double* c);
void add_narrow_transposed_product(const StridedRowsOf<float>& a, const double* b, std::size_t columns,
                                   std::size_t stride, double* c);

}  // namespace tulle
