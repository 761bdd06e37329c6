// Products of column-major matrices by BLAS: faster than Eigen's own, and far quicker to compile.
#pragma once

#include "lapack.hpp"

#include <Eigen/Core>

namespace tulle {

template <class T>
using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
int as_int(T value) {
  return static_cast<int>(value);
}

// op(A) op(B).
template <class T>
Columns<T> product(CBLAS_TRANSPOSE op_a, const Eigen::Ref<const Columns<T>>& a, CBLAS_TRANSPOSE op_b,
                   const Eigen::Ref<const Columns<T>>& b) {
  const bool plain_a = op_a == CblasNoTrans, plain_b = op_b == CblasNoTrans;
  Columns<T> c(plain_a ? a.rows() : a.cols(), plain_b ? b.cols() : b.rows());
  lapack::multiply(op_a, op_b, as_int(c.rows()), as_int(c.cols()), as_int(plain_a ? a.cols() : a.rows()),
                   a.data(), as_int(a.outerStride()), b.data(), as_int(b.outerStride()), c.data(),
                   as_int(c.rows()));
  return c;
}

}  // namespace tulle
