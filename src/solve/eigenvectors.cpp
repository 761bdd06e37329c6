#include "eigenvectors.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <lapacke.h>

namespace tulle {

namespace {

// All of them, by the QR algorithm, which has no trouble with eigenvalues that are alike.
Eigenpairs by_full_decomposition(const Matrix& symmetric, int count) {
  if (!symmetric.allFinite())
    fail("eigenvectors of a {}x{} matrix: not all of its values are finite", symmetric.rows(),
         symmetric.cols());
  const Eigendecomposition all = eigendecomposition(symmetric);
  return {all.values.tail(count).reverse(), all.vectors.rightCols(count).rowwise().reverse()};
}

}  // namespace

Eigenpairs leading_eigenpairs(Matrix symmetric, int count) {
  constexpr Eigen::Index kSmall = 32, kLarge = 128;
  if (symmetric.rows() <= kSmall) return by_full_decomposition(symmetric, count);
  const OneThread order_of_sums;
  if (symmetric.rows() >= kLarge && symmetric.allFinite())
    if (const auto few = few_largest_eigenpairs(symmetric, count))
      return {few->values.reverse(), few->vectors.rowwise().reverse()};
  const Matrix original = symmetric;  // LAPACK overwrites its argument
  const auto size = static_cast<lapack_int>(symmetric.rows());
  Vector values(size);
  Eigen::MatrixXd vectors(size, count);
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(count));
  lapack_int found = 0;
  const lapack_int status =
      LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'L', size, symmetric.data(), size, 0, 0, size - count + 1,
                     size, 0, &found, values.data(), vectors.data(), size, support.data());
  // Asked for some of several equal eigenvalues, LAPACK may find none of them.
  if (status != 0 || found != count) return by_full_decomposition(original, count);
  return {values.head(count).reverse(), vectors.rowwise().reverse()};
}

Matrix leading_eigenvectors(Matrix symmetric, int count) {
  return leading_eigenpairs(std::move(symmetric), count).vectors;
}

}  // namespace tulle
