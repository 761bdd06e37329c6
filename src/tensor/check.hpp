// Checks that kernels share.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/tensor/shape.hpp>

#include <limits>

namespace tulle {

inline void check_mode(const Shape& shape, int mode) {
  if (mode < 0 || mode >= shape.order()) fail("a {} tensor has no mode {}", shape.text(), mode + 1);
}

// BLAS counts in int.
inline int blas_int(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    fail("a matrix with a side of {} is too large for BLAS, which counts to {}", size,
         std::numeric_limits<int>::max());
  return static_cast<int>(size);
}

}  // namespace tulle
