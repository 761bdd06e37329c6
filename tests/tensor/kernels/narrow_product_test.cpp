#include "tensor/samples.hpp"

#include <tulle/tensor/kernels/narrow_product.hpp>
#include <tulle/tensor/panel.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// c = 1 + product, so that what was there before counts too.
template <class Cell>
Matrix added(void (*add)(const StridedRowsOf<Cell>&, const double*, std::size_t, std::size_t, double*),
             const StridedRowsOf<Cell>& a, const Matrix& b, Eigen::Index rows) {
  const Panel right(b);
  Panel sums(Matrix(Matrix::Ones(rows, b.cols())));
  add(a, right.data(), static_cast<std::size_t>(right.columns()), static_cast<std::size_t>(right.stride()),
      sums.data());
  return sums.matrix();
}

template <class Cell>
void expect_products_for_all_sizes() {
  for (Eigen::Index rows : {1, 3, 4, 6, 9, 130, 300})
    for (Eigen::Index columns : {1, 2, 5, 8, 300})
      for (Eigen::Index rank : {1, 3, 4, 8, 10, 13, 16, 21}) {
        const RowsOf<Cell> whole = samples::matrix(rows, columns + 3, 1).cast<Cell>();
        const StridedRowsOf<Cell> a(whole.data() + 2, rows, columns, Eigen::OuterStride<>(whole.cols()));
        const Matrix doubles = a.template cast<double>();
        const Matrix right = samples::matrix(columns, rank, 2), left = samples::matrix(rows, rank, 3);
        const Matrix product = (doubles * right).array() + 1,
                     transposed = (doubles.transpose() * left).array() + 1;
        EXPECT_TRUE(added<Cell>(add_narrow_product, a, right, rows).isApprox(product, 1e-12));
        EXPECT_TRUE(added<Cell>(add_narrow_transposed_product, a, left, columns).isApprox(transposed, 1e-12));
      }
}

// Sums of up to 300 products of numbers of size 1: rounding stays far below 1e-12, also where floats are
// multiplied.
TEST(NarrowProduct, IsAddedForAllSizes) {
  expect_products_for_all_sizes<double>();
  expect_products_for_all_sizes<float>();
}

}  // namespace
}  // namespace tulle
