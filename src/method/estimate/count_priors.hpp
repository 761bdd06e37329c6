// Priors of a model of counts by the moments of what was released with independent noise of mean 0, two-sided
// geometric of parameter alpha. Free after the release.
//
// With rates of mean m the prior of shapes a_d has
//   two cells of one row of mode d:  covariance m^2 / (rank a_d), which noise does not change;
//   all cells:                       variance m^2 (product of (1 + 1 / a_d) - 1) / rank.
// Both less three standard errors. Shapes are those of the covariances, and where the variance is larger, so
// that rows differ in more than their means, as small as it asks for. Cells have weights by their noise.
#pragma once

#include "estimate/count_model.hpp"

namespace tulle {

// One per mode; m lies between `least` and `most`.
std::vector<CountPrior> priors_by_moments(const SparseTensor& released, const std::vector<double>& alphas,
                                          const ModelLayout& layout, double least, double most);

}  // namespace tulle
