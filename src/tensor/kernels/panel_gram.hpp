// The Gram matrix of a panel of vectors: the part of an unfolding that one task works on.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <cstddef>

namespace tulle {

// `count` vectors of `size` numbers, beside each other or one after another.
struct VectorPanel {
  const double* data;
  std::size_t count, size;
  std::size_t vector_stride, element_stride;  // one of them is 1
};

// Sums have room for whole tiles: as many rows and columns as this, of which the first `size` are meant.
std::size_t padded_size(std::size_t size);

// sum[i, j] += sum over vectors v of v_i v_j, for j <= i.
void add_panel_gram(const VectorPanel& panel, Matrix& sum);

}  // namespace tulle
