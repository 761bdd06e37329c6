// Checks that kernels share.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/shape.hpp>

#include <limits>
#include <span>

namespace tulle {

inline void check_mode(const Shape& shape, int mode) {
  if (mode < 0 || mode >= shape.order()) fail("a {} tensor has no mode {}", shape.text(), mode + 1);
}

// Checks one factor per mode, with a row for every position, all with the same number of columns.
inline void check_factors(const Shape& shape, std::span<const Matrix> factors) {
  if (static_cast<int>(factors.size()) != shape.order())
    fail("{} factors for a {} tensor; give one per mode", factors.size(), shape.text());
  for (int mode = 0; mode < shape.order(); ++mode)
    if (factors[mode].rows() != static_cast<Eigen::Index>(shape[mode]) ||
        factors[mode].cols() != factors[0].cols())
      fail("factor {} is {}x{}, but mode {} of the {} tensor needs {}x{}", mode + 1, factors[mode].rows(),
           factors[mode].cols(), mode + 1, shape.text(), shape[mode], factors[0].cols());
}

// BLAS counts in int.
inline int blas_int(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    fail("a matrix with a side of {} is too large for BLAS, which counts to {}", size,
         std::numeric_limits<int>::max());
  return static_cast<int>(size);
}

}  // namespace tulle
