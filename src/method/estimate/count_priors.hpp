// Priors of a model of counts, from the moments of released counts with independent two-sided geometric noise
// of parameter alpha. Free after the release.
//
// With rates of mean m the prior of shapes a_d has
//   two cells of one row of mode d:  covariance m^2 / (rank a_d), which noise does not change;
//   all cells:                       variance m^2 (product of (1 + 1 / a_d) - 1) / rank.
// Three standard errors are subtracted from both. Shapes follow from the covariances; if the variance is
// larger, because rows differ in more than their means, shapes are as small as it requires. Cells are
// weighted by their noise.
#pragma once

#include "estimate/count_model.hpp"

namespace tulle {

// One per mode; m lies between `least` and `most`.
std::vector<CountPrior> priors_by_moments(const SparseTensor& released, const std::vector<double>& alphas,
                                          const ModelLayout& layout, double least, double most);

}  // namespace tulle
