// Sums of outer products of short rows: the inner loop of least squares.
#pragma once

#include <tulle/base/lanes.hpp>

#include <cstddef>

namespace tulle {

// matrix[i, j] += sum_e rows[e, i] rows[e, j] for Rows x Columns of the matrix, the sums staying in
// registers. What is multiplied is loaded first: otherwise gcc 12 moves sums between registers in every turn.
template <int Rows, int Columns>
inline __attribute__((always_inline)) void add_tile(const double* rows, const double* columns,
                                                    std::size_t stride, std::size_t count, double* matrix) {
  constexpr int kLanes = Columns / kLane;
  Lane sum[Rows][kLanes] = {};
  for (std::size_t e = 0; e < count; ++e) {
    Multipliers<Rows> left;
    left.load(rows + e * stride);
    Lane right[kLanes];
#pragma GCC unroll 4
    for (int l = 0; l < kLanes; ++l) right[l] = lanes(columns + e * stride)[l];
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
      for (int l = 0; l < kLanes; ++l) sum[i][l] += left[i] * right[l];
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int l = 0; l < kLanes; ++l) lanes(matrix + i * stride)[l] += sum[i][l];
}

// gram += block^T block for a block of `count` rows that stays in the first cache. Both are row-major with
// rows of `stride` numbers, a multiple of 4; of the symmetric gram the part on and above the diagonal is
// meant. Tiles of 4 x 8; 4 x 4 where the last columns ask for it. It is inlined, so that the caller chooses
// the instruction set (base/multiarch.hpp).
inline __attribute__((always_inline)) void add_gram(const double* block, std::size_t stride,
                                                    std::size_t count, double* gram) {
  for (std::size_t i = 0; i < stride; i += 4) {
    std::size_t j = i / 8 * 8;
    for (; j + 8 <= stride; j += 8)
      add_tile<4, 8>(block + i, block + j, stride, count, gram + i * stride + j);
    if (j < stride) add_tile<4, 4>(block + i, block + j, stride, count, gram + i * stride + j);
  }
}

}  // namespace tulle
