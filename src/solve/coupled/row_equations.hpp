// Least squares for the rows of one factor, with independent normal priors.
#pragma once

#include "coupled_passes.hpp"

#include <tulle/base/random.hpp>

namespace tulle {

// The equations of all tables that have the factor, each times its scale. Throws an Error if rows do not
// share a matrix and their matrices have more than 2^27 elements.
RowEquations equations_of(const Study& study, const CoupledPasses& passes, int factor, FactorValues factors,
                          const std::vector<double>& scales);

// Replaces every row by the solution of (matrix + precision) row = right, with one precision for each element
// or one for all. With `random`, replaces it by a draw from the normal distribution that has this mean and
// the inverse of matrix + precision as its covariance. If the matrix is singular, the solution is the one
// nearest to the old row.
void solve_rows(const RowEquations& equations, std::span<const double> precisions, Random* random,
                std::vector<double>& rows);

// Lowers the objective of the same equations over nonnegative rows, with one precision for all elements, by
// hierarchical alternating least squares: a few passes of coordinate descent.
void descend_rows(const RowEquations& equations, double precision, std::vector<double>& rows);

}  // namespace tulle
