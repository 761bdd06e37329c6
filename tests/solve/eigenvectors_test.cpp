#include "eigenvectors.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace tulle {
namespace {

void expect_eigenpairs(const Matrix& matrix, int count) {
  const Eigenpairs pairs = leading_eigenpairs(matrix, count);
  const double size = 1 + matrix.cwiseAbs().maxCoeff();
  const Matrix rest = matrix * pairs.vectors - pairs.vectors * pairs.values.asDiagonal();
  EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-9 * size) << matrix;
  EXPECT_LT(
      (pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(count, count)).cwiseAbs().maxCoeff(),
      1e-9);
  for (int i = 1; i < count; ++i) EXPECT_GE(pairs.values[i - 1], pairs.values[i] - 1e-9 * size);
}

// Whole numbers, so that eigenvalues are often alike.
TEST(LeadingEigenpairs, OfSmallMatricesWithEqualEigenvalues) {
  for (int code = 0; code < 729; ++code) {
    Matrix matrix(3, 3);
    int rest = code;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) {
        matrix(i, j) = matrix(j, i) = rest % 3 - 1;
        rest /= 3;
      }
    for (int count = 1; count <= 3; ++count) expect_eigenpairs(matrix, count);
  }
}

TEST(LeadingEigenpairs, OfLargeMatricesWithEqualEigenvalues) {
  for (int equal : {1, 10, 39}) {
    Vector values = Vector::Zero(40);
    values.head(equal).setConstant(2);
    Matrix matrix = values.asDiagonal();
    expect_eigenpairs(matrix, 5);
    Random random(1);
    Vector turn(40);
    for (double& number : turn) number = random.normal();
    const Matrix mirror = Matrix::Identity(40, 40) - 2 * turn * turn.transpose() / turn.squaredNorm();
    expect_eigenpairs(mirror * matrix * mirror, 5);
  }
}

// Of this size a Krylov space is tried first: with eigenvalues that it can hold, more equal ones than its
// blocks have columns, none above 0, and the dense edge of a random spectrum.
TEST(LeadingEigenpairs, OfVeryLargeMatrices) {
  constexpr int kCount = 5;
  for (int size : {150, 600}) {
    Random random(1);
    Matrix noise(size, size);
    for (double& number : noise.reshaped()) number = random.normal();
    noise = (noise + noise.transpose()).eval();
    std::vector<Matrix> matrices{noise, -Matrix::Identity(size, size), Matrix::Zero(size, size)};
    for (int equal : {3, 39}) {
      const Eigen::MatrixXd basis = orthonormal(noise.leftCols(equal));
      matrices.push_back(1e-6 * noise + basis * basis.transpose());
    }
    for (const Matrix& matrix : matrices) {
      expect_eigenpairs(matrix, kCount);
      const Vector all = eigenvalues(matrix), leading = leading_eigenpairs(matrix, kCount).values;
      EXPECT_LT((leading - all.tail(kCount).reverse()).norm(), 1e-10 * (1 + all.cwiseAbs().maxCoeff()));
    }
  }
}

TEST(LeadingEigenpairs, RefuseWhatIsNotFinite) {
  Matrix matrix = Matrix::Identity(3, 3);
  matrix(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(leading_eigenpairs(matrix, 1), Error);
}

}  // namespace
}  // namespace tulle
