#include "kernels/narrow_product.hpp"

#include "tensor/samples.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Sums of up to 300 products of numbers of size 1: rounding stays far below 1e-12.
TEST(NarrowProduct, IsTheProductForAllSizes) {
  for (Eigen::Index rows : {1, 3, 4, 9, 130})
    for (Eigen::Index columns : {1, 2, 5, 8, 300})
      for (Eigen::Index rank : {1, 3, 4, 8, 13, 16}) {
        const Matrix whole = samples::matrix(rows, columns + 3, 1);
        const StridedRows a(whole.data() + 2, rows, columns, Eigen::OuterStride<>(whole.cols()));
        const Matrix right = samples::matrix(columns, rank, 2), left = samples::matrix(rows, rank, 3);
        EXPECT_TRUE(narrow_product(a, right).isApprox(a * right, 1e-12));
        EXPECT_TRUE(narrow_transposed_product(a, left).isApprox(a.transpose() * left, 1e-12));
      }
}

}  // namespace
}  // namespace tulle
