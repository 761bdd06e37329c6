// What one cell adds to the normal equations of its position, as a vector of numbers that is as long as the
// matrix and the right-hand side are: h h^T as its lower half, row by row, with sqrt 2 off the diagonal, then
// rest h.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <cstddef>
#include <span>

namespace tulle {

struct CellEquation {
  std::span<const double> h;
  double rest;  // of the cell's value, for the components
};

constexpr std::size_t packed_size(std::size_t rank) {
  return rank * (rank + 1) / 2 + rank;
}

void add_packed(const CellEquation& cell, double* sums);
// The same times `weight`, each number rounded to a SumGrid with this shift.
void add_packed_rounded(const CellEquation& cell, double weight, double shift, double* sums);
double packed_square(const CellEquation& cell);  // of the length

Eigen::MatrixXd unpacked_matrix(std::span<const double> sums, int rank);

}  // namespace tulle
