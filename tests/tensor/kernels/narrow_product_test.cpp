#include "tensor/samples.hpp"

#include <tulle/tensor/kernels/narrow_product.hpp>
#include <tulle/tensor/panel.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// c = 1 + product, so that what was there before counts too.
Matrix added(void (*add)(const StridedRows&, const double*, std::size_t, std::size_t, double*),
             const StridedRows& a, const Matrix& b, Eigen::Index rows) {
  const Panel right(b);
  Panel sums(Matrix(Matrix::Ones(rows, b.cols())));
  add(a, right.data(), static_cast<std::size_t>(right.columns()), static_cast<std::size_t>(right.stride()),
      sums.data());
  return sums.matrix();
}

// Sums of up to 300 products of numbers of size 1: rounding stays far below 1e-12.
TEST(NarrowProduct, IsAddedForAllSizes) {
  for (Eigen::Index rows : {1, 3, 4, 6, 9, 130, 300})
    for (Eigen::Index columns : {1, 2, 5, 8, 300})
      for (Eigen::Index rank : {1, 3, 4, 8, 10, 13, 16, 21}) {
        const Matrix whole = samples::matrix(rows, columns + 3, 1);
        const StridedRows a(whole.data() + 2, rows, columns, Eigen::OuterStride<>(whole.cols()));
        const Matrix right = samples::matrix(columns, rank, 2), left = samples::matrix(rows, rank, 3);
        const Matrix product = (a * right).array() + 1, transposed = (a.transpose() * left).array() + 1;
        EXPECT_TRUE(added(add_narrow_product, a, right, rows).isApprox(product, 1e-12));
        EXPECT_TRUE(added(add_narrow_transposed_product, a, left, columns).isApprox(transposed, 1e-12));
      }
}

}  // namespace
}  // namespace tulle
