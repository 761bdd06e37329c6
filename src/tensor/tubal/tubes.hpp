// Functions of tubes, the fibres along modes 3..N, that the kernels of the t-product share.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/tensor/shape.hpp>

namespace tulle {

// The number of values in a tube. An Error for matrices, and for shapes with more cells than fit.
inline std::size_t tube_length(const Shape& shape) {
  if (shape.order() < 3)
    fail("the t-product needs 3 modes or more, but this is a {} matrix; use a cp model for matrices",
         shape.text());
  shape.cells();
  return shape.stride(1);
}

// Maps position k of a tube, in C order of modes 3..N, to -k modulo the size in each of them.
inline std::size_t mirrored(const Shape& shape, std::size_t position) {
  std::size_t result = 0;
  for (int mode = 2; mode < shape.order(); ++mode) {
    const std::size_t stride = shape.stride(mode), size = shape[mode];
    result += (size - position / stride % size) % size * stride;
  }
  return result;
}

}  // namespace tulle
