#include "eigenvectors.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/decompositions.hpp>

namespace tulle {

namespace {

// Computes all eigenpairs by the QR algorithm, which handles repeated eigenvalues.
Eigenpairs by_full_decomposition(const Matrix& symmetric, int count) {
  if (!symmetric.allFinite())
    fail("eigenvectors of a {}x{} matrix: not all of its values are finite", symmetric.rows(),
         symmetric.cols());
  const Eigendecomposition all = eigendecomposition(symmetric);
  return {all.values.tail(count).reverse(), all.vectors.rightCols(count).rowwise().reverse()};
}

}  // namespace

Eigenpairs leading_eigenpairs(const Matrix& symmetric, int count) {
  constexpr Eigen::Index kSmall = 32, kLarge = 128;
  if (symmetric.rows() <= kSmall) return by_full_decomposition(symmetric, count);
  const OneThread order_of_sums;
  if (symmetric.rows() >= kLarge && symmetric.allFinite())
    if (const auto few = few_largest_eigenpairs(symmetric, count))
      return {few->values.reverse(), few->vectors.rowwise().reverse()};
  // LAPACK may fail to find some of several equal eigenvalues.
  if (const auto largest = largest_eigenpairs(symmetric, count))
    return {largest->values.reverse(), largest->vectors.rowwise().reverse()};
  return by_full_decomposition(symmetric, count);
}

Matrix leading_eigenvectors(const Matrix& symmetric, int count) {
  return leading_eigenpairs(symmetric, count).vectors;
}

}  // namespace tulle
