// Least squares for the rows of one factor, with independent normal priors.
#pragma once

#include "coupled_passes.hpp"

#include <tulle/base/random.hpp>

namespace tulle {

// The equations of all tables that have the factor, each times its scale. An Error where they need more than
// 2^27 numbers.
RowEquations equations_of(const Study& study, const CoupledPasses& passes, int factor, FactorValues factors,
                          const std::vector<double>& scales);

// Replaces every row by the solution of (matrix + precision) row = right; elements have the precisions of a
// prior, or all of them one. With `random` by a draw from the normal distribution that has this mean, and the
// inverse of the matrix as its covariance. Where the matrix is singular, the row that is nearest to what it
// was.
void solve_rows(const RowEquations& equations, std::span<const double> precisions, Random* random,
                std::vector<double>& rows);

// Lowers the objective of the same equations over rows whose elements are 0 or above, all with one precision,
// by hierarchical alternating least squares: a few passes of coordinate descent.
void descend_rows(const RowEquations& equations, double precision, std::vector<double>& rows);

}  // namespace tulle
