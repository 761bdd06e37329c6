// Gibbs sampling of coupled models. Per factor:
//   Counts (all tables p = 1, weight 1): every count is divided at random among the positions of the factor's
//   latent indices, in proportion to their contributions to the model; an element is then Gamma(shape + its
//   part of the counts, rate + the sum over observed cells of the product of the other factors). The time is
//   proportional to the nonzeros times the latent positions.
//   Gaussian tables (p = 0) with normal priors: every row has a normal distribution, given by the equations
//   of least squares.
#pragma once

#include <tulle/solve/coupled/sampler.hpp>

namespace tulle {

Fit<CoupledPosterior> sample_gibbs(const Study& study, const SamplerOptions& options, const Control& control);

}  // namespace tulle
