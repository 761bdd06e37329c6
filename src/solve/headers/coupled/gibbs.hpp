// Gibbs sampling of coupled models. Per factor:
//   counts (all tables p = 1, weight 1): every count is divided at random among the positions of the factor's
//   latent indices, in proportion to what they contribute to the model; an element is then Gamma(shape + its
//   part of the counts, rate + the sum over observed cells of the product of the other factors). Time is
//   proportional to nonzeros times the latent positions.
//   Gaussian tables (p = 0) with normal priors: every row has a normal distribution, from the equations of
//   least squares.
#pragma once

#include <tulle/solve/coupled/sampler.hpp>

namespace tulle {

Fit<CoupledPosterior> sample_gibbs(const Study& study, const SamplerOptions& options, const Control& control);

}  // namespace tulle
