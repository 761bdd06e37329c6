#include "../samples.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/cell_sums.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

RowsInMemory view(const Matrix& matrix) {
  return {matrix.data(), matrix.rows(), matrix.cols()};
}

// Blocks of 24 rows, of 64 columns for the transpose, both cut every 512 cells where there are few of them;
// the largest are shared by threads. Sums of up to 3000 products of numbers of size 1: rounding stays below
// 1e-11.
TEST(CellSums, OfFloatsAreProductsBothWaysForAnyNumberOfThreads) {
  const int before = threads();
  for (Eigen::Index rows : {1, 23, 65, 513, 3000})
    for (Eigen::Index columns : {1, 64, 130, 1100})
      for (Eigen::Index rank : {1, 5, 13}) {
        const RowsOf<float> x = samples::matrix(rows, columns, 1).cast<float>();
        const RowsInMemoryOf<float> cells(x.data(), rows, columns);
        const Matrix left = samples::matrix(rows, rank, 2), right = samples::matrix(columns, rank, 3);
        std::vector<Matrix> sums, transposed;
        for (int count : {1, 3}) {
          set_threads(count);
          sums.push_back(Matrix::Ones(rows, rank));
          transposed.push_back(Matrix::Ones(columns, rank));
          add_linear_cell_sums(cells, PackedFactor(view(right)), sums.back().data());
          add_linear_transposed_sums(cells, PackedFactor(view(left)), transposed.back().data());
        }
        const Matrix doubles = x.cast<double>(), expected = (doubles * right).array() + 1,
                     expected_transposed = (doubles.transpose() * left).array() + 1;
        EXPECT_LT((sums[0] - expected).cwiseAbs().maxCoeff(), 1e-11);
        EXPECT_LT((transposed[0] - expected_transposed).cwiseAbs().maxCoeff(), 1e-11);
        EXPECT_EQ(sums[0], sums[1]);
        EXPECT_EQ(transposed[0], transposed[1]);
      }
  set_threads(before);
}

TEST(CellSums, APackedFactorKnowsItsRows) {
  const Matrix rows = samples::matrix(7, 5, 1), other = samples::matrix(7, 5, 2);
  Matrix changed = rows;
  changed(6, 4) += 1;
  const PackedFactor packed(view(rows));
  EXPECT_TRUE(packed.is_of(view(rows)));
  for (const Matrix& not_these : {other, changed, Matrix(rows.topRows(6)), Matrix(rows.leftCols(4))})
    EXPECT_FALSE(packed.is_of(view(not_these)));
}

}  // namespace
}  // namespace tulle
