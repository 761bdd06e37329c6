#include <tulle/base/random.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns) {
  Random random(static_cast<std::uint64_t>(rows * 100 + columns));
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

bool orthonormal_columns(const Eigen::MatrixXd& matrix) {
  return (matrix.transpose() * matrix).isIdentity(1e-12);
}

TEST(Decompositions, EigenvaluesAscendAndVectorsGoWithThem) {
  const Eigen::MatrixXd any = random_matrix(20, 20), symmetric = any + any.transpose();
  const auto [values, vectors] = eigendecomposition(symmetric);
  EXPECT_TRUE(orthonormal_columns(vectors));
  EXPECT_TRUE((vectors * values.asDiagonal() * vectors.transpose()).isApprox(symmetric, 1e-12));
  EXPECT_TRUE(std::ranges::is_sorted(values));
  EXPECT_TRUE(eigenvalues(symmetric).isApprox(values, 1e-12));
}

TEST(Decompositions, QrOfAnyShape) {
  for (const auto& [rows, columns] : {std::pair(7, 3), std::pair(3, 3), std::pair(3, 7)}) {
    const Eigen::MatrixXd matrix = random_matrix(rows, columns);
    const Qr qr = thin_qr(matrix);
    EXPECT_TRUE(orthonormal_columns(qr.q));
    EXPECT_TRUE((qr.q * qr.r).isApprox(matrix, 1e-12));
    EXPECT_TRUE(qr.r.isUpperTriangular());
  }
}

TEST(Decompositions, ColumnsThatRepeatEachOtherAreStillMadeOrthonormal) {
  Eigen::MatrixXd columns = random_matrix(9, 3);
  columns.col(2) = columns.col(0);
  EXPECT_TRUE(orthonormal_columns(orthonormal(columns)));
}

TEST(Decompositions, SingularValuesDescend) {
  for (const auto& [rows, columns] : {std::pair(30, 20), std::pair(20, 30)}) {
    const Eigen::MatrixXd matrix = random_matrix(rows, columns);
    const auto [u, values, v] = thin_svd(matrix);
    EXPECT_TRUE(orthonormal_columns(u) && orthonormal_columns(v));
    EXPECT_TRUE((u * values.asDiagonal() * v.transpose()).isApprox(matrix, 1e-12));
    EXPECT_TRUE(std::ranges::is_sorted(values, std::greater()));
  }
}

TEST(Decompositions, CholeskyFactorsAndItsSolutions) {
  const Eigen::MatrixXd any = random_matrix(12, 9), positive = any.transpose() * any;
  const Eigen::MatrixXd lower = cholesky(positive), right = random_matrix(9, 2);
  EXPECT_TRUE(lower.isLowerTriangular());
  EXPECT_TRUE((lower * lower.transpose()).isApprox(positive, 1e-12));
  EXPECT_TRUE((lower.transpose() * solve_transposed(lower, right)).isApprox(right, 1e-12));
  Eigen::MatrixXd triangle = positive;
  triangle.triangularView<Eigen::StrictlyUpper>().setConstant(7);  // not read
  EXPECT_TRUE((positive * solve_positive(triangle, right.col(0))).isApprox(right.col(0), 1e-10));
}

TEST(Decompositions, LeastSquaresAreTheShortestSolution) {
  Eigen::MatrixXd matrix = random_matrix(8, 3);
  matrix.col(2) = matrix.col(1);
  const Eigen::MatrixXd right = random_matrix(8, 2), solution = least_squares(matrix, right);
  EXPECT_TRUE((matrix.transpose() * (matrix * solution - right)).isZero(1e-12));
  EXPECT_TRUE(solution.row(1).isApprox(solution.row(2), 1e-12));
}

TEST(Decompositions, SolvesIndefiniteSystems) {
  const Eigen::MatrixXd any = random_matrix(6, 6), symmetric = any + any.transpose();
  const Vector truth = random_matrix(6, 1);
  EXPECT_TRUE(solve_symmetric(symmetric, symmetric * truth).isApprox(truth, 1e-9));
}

}  // namespace
}  // namespace tulle
