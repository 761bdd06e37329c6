#include "tensor/samples.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/eigenbases.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

Matrix symmetric(Eigen::Index size, std::uint64_t seed) {
  const Matrix any = samples::matrix(size, size, seed);
  return any + any.transpose();
}

void put(const Matrix& matrix, int which, Eigenbases& bases) {
  for (int row = 0; row < bases.size(); ++row)
    for (int column = 0; column < bases.size(); ++column)
      bases.element(which, row, column) = matrix(row, column);
}

Vector sorted_values(const Eigenbases& bases, int which) {
  Vector values(bases.size());
  for (int k = 0; k < bases.size(); ++k) values[k] = bases.value(which, k);
  std::ranges::sort(values);
  return values;
}

Vector vector_of(Eigenbases& bases, int which) {
  Vector vector(bases.size());
  for (int k = 0; k < bases.size(); ++k) vector[k] = bases.coordinate(which, k);
  return vector;
}

// Eigenvalues, lengths of vectors and A v = Q (values (Q^T v)), up to rounding. Every lane but the first has
// the matrix; the first has another one, which takes other steps.
void expect_eigenbases(const Matrix& matrix) {
  const auto size = static_cast<int>(matrix.rows());
  const double scale = std::max(matrix.cwiseAbs().maxCoeff(), 1e-300), tolerance = 1e-13 * size;
  const Vector vector = samples::matrix(size, 1, 7);
  Eigenbases bases(size);
  for (int l = 0; l < Eigenbases::kCount; ++l) {
    put(l == 0 ? symmetric(size, 99) : matrix, l, bases);
    for (int k = 0; k < size; ++k) bases.coordinate(l, k) = vector[k];
  }
  bases.decompose();
  bases.turn();
  for (int l = 1; l < Eigenbases::kCount; ++l) {
    EXPECT_LE((sorted_values(bases, l) - eigenvalues(matrix)).cwiseAbs().maxCoeff() / scale, tolerance);
    EXPECT_NEAR(vector_of(bases, l).norm(), vector.norm(), tolerance * vector.norm());
    for (int k = 0; k < size; ++k) bases.coordinate(l, k) *= bases.value(l, k) / scale;
  }
  bases.turn_back();
  for (int l = 1; l < Eigenbases::kCount; ++l)
    EXPECT_LE((vector_of(bases, l) - matrix * vector / scale).norm(), tolerance * (1 + vector.norm()));
}

TEST(Eigenbases, DiagonaliseMatricesOfAllSizes) {
  for (Eigen::Index size = 1; size <= 40; ++size)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) expect_eigenbases(symmetric(size, seed));
}

TEST(Eigenbases, DiagonaliseDegenerateMatrices) {
  const Matrix row = samples::matrix(6, 1, 3);
  expect_eigenbases(Matrix::Zero(5, 5));
  expect_eigenbases(Matrix::Identity(5, 5));
  expect_eigenbases(Matrix::Ones(5, 5));
  expect_eigenbases(row * row.transpose());
  expect_eigenbases(Matrix(Vector::LinSpaced(6, -3, 2).asDiagonal()));
}

TEST(Eigenbases, DiagonaliseMatricesOfExtremeScale) {
  expect_eigenbases(1e-250 * symmetric(8, 1));
  expect_eigenbases(1e250 * symmetric(8, 1));
}

// One object for matrices after matrices: nothing of the last ones is left.
TEST(Eigenbases, AreUsedAgain) {
  Eigenbases bases(4);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (int l = 0; l < Eigenbases::kCount; ++l) put(symmetric(4, 10 * seed + l), l, bases);
    bases.decompose();
    for (int l = 0; l < Eigenbases::kCount; ++l)
      EXPECT_TRUE(sorted_values(bases, l).isApprox(eigenvalues(symmetric(4, 10 * seed + l)), 1e-12));
  }
}

}  // namespace
}  // namespace tulle
