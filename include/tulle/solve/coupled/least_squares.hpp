// Alternating least squares for coupled models whose tables are all Euclidean. Factors may be negative.
//
// Minimises  sum over tables of weight / 2 sum of (x - m)^2  +  sum over elements of theta^2 / (2 variance),
// the second where factors have a normal prior. Rows of a factor are solved for exactly, factor after factor.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/solve/fit.hpp>

namespace tulle {

struct LeastSquaresOptions {
  const Coupled* start = nullptr;  // otherwise random
};

Fit<Coupled> fit_least_squares(const Study& study, const LeastSquaresOptions& options,
                               const Control& control);

}  // namespace tulle
