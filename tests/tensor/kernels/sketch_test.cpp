#include "../samples.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/sketch.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

std::vector<double> signs_of(Eigen::Index count) {
  Random random(4);
  std::vector<double> signs(static_cast<std::size_t>(count));
  for (double& sign : signs) sign = random.chance(0.5) ? 1 : -1;
  return signs;
}

// The sketch as a product: each row has its sign in one column.
Matrix sign_matrix(const std::vector<double>& signs, Eigen::Index width) {
  Matrix matrix = Matrix::Zero(static_cast<Eigen::Index>(signs.size()), width);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix(i, i % width) = signs[static_cast<std::size_t>(i)];
  return matrix;
}

// Sums of up to 300 numbers of size 1: rounding stays far below 1e-12.
TEST(Sketch, IsAProductWithRandomSigns) {
  for (Eigen::Index rows : {1, 3, 40, 300})
    for (Eigen::Index columns : {1, 7, 33, 250})
      for (Eigen::Index width : {1, 3, 10, 45}) {
        const RowsOf<float> x = samples::matrix(rows, columns, 1).cast<float>();
        const RowsInMemoryOf<float> cells(x.data(), rows, columns);
        const auto of_columns = signs_of(columns), of_rows = signs_of(rows);
        Matrix sums = Matrix::Ones(rows, width), transposed = Matrix::Ones(columns, width);
        add_sketch(cells, of_columns, static_cast<std::size_t>(width), sums.data());
        add_transposed_sketch(cells, of_rows, static_cast<std::size_t>(width), transposed.data());
        const Matrix doubles = x.cast<double>(), expected = doubles * sign_matrix(of_columns, width),
                     expected_transposed = doubles.transpose() * sign_matrix(of_rows, width);
        EXPECT_LT((sums.array() - 1 - expected.array()).abs().maxCoeff(), 1e-12);
        EXPECT_LT((transposed.array() - 1 - expected_transposed.array()).abs().maxCoeff(), 1e-12);
      }
}

TEST(Sketch, DoesNotDependOnThreads) {
  const Eigen::Index rows = 4000, columns = 2200, width = 6;  // enough to be shared
  const RowsOf<float> x = samples::matrix(rows, columns, 1).cast<float>();
  const RowsInMemoryOf<float> cells(x.data(), rows, columns);
  const int before = threads();
  std::vector<Matrix> sums, transposed;
  for (int count : {1, 3}) {
    set_threads(count);
    sums.push_back(Matrix::Zero(rows, width));
    transposed.push_back(Matrix::Zero(columns, width));
    add_sketch(cells, signs_of(columns), width, sums.back().data());
    add_transposed_sketch(cells, signs_of(rows), width, transposed.back().data());
  }
  set_threads(before);
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(transposed[0], transposed[1]);
}

}  // namespace
}  // namespace tulle
