// A tensor for tests of margins: effects of positions and of pairs, and none of all three modes together.
#pragma once

#include <tulle/tensor/dense.hpp>

#include <cmath>

namespace tulle::testing {

// An effect of every position of mode 3 and of every pair of modes 1 and 2.
inline double of_pairs(Index i, Index j, Index k) {
  return 0.5 + 0.1 * std::cos(0.3 * k) + 0.3 * std::cos(0.7 * i) * std::sin(0.4 * j);
}

template <class Value>
DenseTensor filled(const Shape& shape, Value&& value) {
  DenseTensor tensor(shape);
  auto next = tensor.values().begin();
  for (Index i = 0; i < shape[0]; ++i)
    for (Index j = 0; j < shape[1]; ++j)
      for (Index k = 0; k < shape[2]; ++k) *next++ = value(i, j, k);
  return tensor;
}

}  // namespace tulle::testing
