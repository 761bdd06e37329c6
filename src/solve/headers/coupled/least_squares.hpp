// Alternating least squares for coupled models whose tables are all Euclidean.
//
// Minimises  sum over tables of weight / 2 sum of (x - m)^2  +  sum over elements of theta^2 / (2 variance),
// where the second sum is over factors with a normal prior. Factor after factor, all rows are solved for
// exactly; nonnegative factors are improved by a few passes of coordinate descent (hierarchical alternating
// least squares, Cichocki et al. 2007; several passes, since the products with the data are the expensive
// part: Gillis and Glineur 2012).
//
// Factors of any sign start from the data if the tables of those that are updated first are held as matrices
// of all cells: these factors are the leading singular vectors of a sketch of their tables, and the others
// follow from them. Coupled matrices have many minima, and most random starts lead to worse ones.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/solve/fit.hpp>

namespace tulle {

struct LeastSquaresOptions {
  bool nonnegative = false;        // otherwise factors may be negative
  const Coupled* start = nullptr;  // otherwise from the data, or random
};

Fit<Coupled> fit_least_squares(const Study& study, const LeastSquaresOptions& options,
                               const Control& control);

}  // namespace tulle
