// The vector that one cell adds to the normal equations of its position: the lower half of h h^T, row by row,
// with elements off the diagonal times sqrt 2, then rest h. Its length is that of the matrix and the
// right-hand side.
#pragma once

#include <cstddef>
#include <span>

namespace tulle {

inline constexpr double kRoot2 = 1.4142135623730951;

// h is the product of two rows, number by number.
struct CellEquation {
  const double* first;
  const double* second;
  std::size_t rank;
  double rest;  // of the cell's value, for the components
};

constexpr std::size_t packed_size(std::size_t rank) {
  return rank * (rank + 1) / 2 + rank;
}

void add_packed(const CellEquation& cell, double weight, double* sums);  // times `weight`
double packed_square(const CellEquation& cell);                          // squared length

// Calls put(row, column, element) for the elements of the matrix on and below its diagonal.
template <class Put>
void unpack_matrix(std::span<const double> sums, int rank, const Put& put) {
  std::size_t next = 0;
  for (int row = 0; row < rank; ++row)
    for (int column = 0; column <= row; ++column)
      put(row, column, sums[next++] / (row == column ? 1 : kRoot2));
}

}  // namespace tulle
