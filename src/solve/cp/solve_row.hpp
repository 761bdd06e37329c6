// Least squares for one row of a factor, from the sums over its entries.
#pragma once

#include <tulle/tensor/kernels/normal_equations.hpp>

#include <span>
#include <vector>

namespace tulle {

// The destination of the solution for a row, and its ridge.
struct RowTarget {
  std::span<double> row;               // `rank` elements
  double* offset;                      // solved for jointly if not null
  std::span<const double> ridge;       // one for each element of the row, then the offset's
  std::span<double> inverse_diagonal;  // of the matrix with its ridge, in the same order; may be empty
};

struct RowErrors {
  double squares = 0;      // residual sum of squares of the row's entries
  double uncertainty = 0;  // expected addition to it from the variance of the other modes' rows
};

RowErrors solve_row(const NormalEquations& equations, const double* sums, const RowTarget& target,
                    std::vector<double>& scratch);

}  // namespace tulle
