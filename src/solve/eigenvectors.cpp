#include "eigenvectors.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <lapacke.h>

namespace tulle {

Eigenpairs leading_eigenpairs(Matrix symmetric, int count) {
  const auto size = static_cast<lapack_int>(symmetric.rows());
  Vector values(size);
  Eigen::MatrixXd vectors(size, count);
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(count));
  lapack_int found = 0;
  const OneThread order_of_sums;
  const lapack_int status =
      LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'L', size, symmetric.data(), size, 0, 0, size - count + 1,
                     size, 0, &found, values.data(), vectors.data(), size, support.data());
  if (status != 0 || found != count)
    fail("eigenvectors of a {}x{} matrix: LAPACK gave up; are all values finite?", size, size);
  return {values.head(count).reverse(), vectors.rowwise().reverse()};
}

Matrix leading_eigenvectors(Matrix symmetric, int count) {
  return leading_eigenpairs(std::move(symmetric), count).vectors;
}

}  // namespace tulle
