#include "kernels/narrow_product.hpp"

#include <tulle/base/random.hpp>
#include <tulle/tensor/kernels/block_gram.hpp>
#include <tulle/tensor/panel.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, Random& random) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = random.normal();
  return matrix;
}

// Sums of up to 300 products of numbers of size 1: rounding stays far below 1e-12.
TEST(NarrowProduct, IsTheProductForAllSizes) {
  Random random(1);
  for (Eigen::Index rows : {1, 3, 4, 9, 130})
    for (Eigen::Index columns : {1, 2, 5, 8, 300})
      for (Eigen::Index rank : {1, 3, 4, 8, 13, 16}) {
        const Matrix whole = random_matrix(rows, columns + 3, random);
        const StridedRows a(whole.data() + 2, rows, columns, Eigen::OuterStride<>(whole.cols()));
        const Matrix right = random_matrix(columns, rank, random), left = random_matrix(rows, rank, random);
        EXPECT_TRUE(narrow_product(a, right).isApprox(a * right, 1e-12));
        EXPECT_TRUE(narrow_transposed_product(a, left).isApprox(a.transpose() * left, 1e-12));
      }
}

TEST(BlockGram, IsTheUpperPartOfTheGram) {
  Random random(2);
  for (int columns : {4, 8, 12, 20, 24})
    for (Eigen::Index rows : {1, 7, 64}) {
      const Matrix block = random_matrix(rows, columns, random);
      Matrix gram = Matrix::Zero(columns, columns);
      add_gram(block.data(), static_cast<std::size_t>(columns), static_cast<std::size_t>(rows), gram.data());
      const Matrix expected = block.transpose() * block;
      for (int i = 0; i < columns; ++i)
        for (int j = i; j < columns; ++j) EXPECT_NEAR(gram(i, j), expected(i, j), 1e-12);
    }
}

}  // namespace
}  // namespace tulle
