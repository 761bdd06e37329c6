// Least squares for one row of a factor, from the sums over its entries.
#pragma once

#include <tulle/tensor/kernels/normal_equations.hpp>

#include <span>
#include <vector>

namespace tulle {

// Where the solution for a row goes, and how strongly it is drawn to zero.
struct RowTarget {
  std::span<double> row;               // rank numbers
  double* offset;                      // solved for jointly when not null
  std::span<const double> ridge;       // one for each number of the row, then the offset's
  std::span<double> inverse_diagonal;  // of the matrix with its ridge, in the same order; may be empty
};

struct RowErrors {
  double squares = 0;      // sum of squares that the solution leaves of the entries
  double uncertainty = 0;  // what the variance of the other modes' rows adds to it
};

RowErrors solve_row(const NormalEquations& equations, const double* sums, const RowTarget& target,
                    std::vector<double>& scratch);

}  // namespace tulle
