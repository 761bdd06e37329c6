// Gradient samplers of coupled models (Ermis 2020, 2.3 and 3.1.3). Factor by factor, with y the elements, or
// their logarithms where they are >= 0, and M a fixed diagonal matrix,
//   y += (k / 2) M gradient of log posterior(y) + N(0, k M).
// The noise has variance k where the gradient has k / 2: temperature 1. (Ermis' 2.13 has k and k, which
// samples at temperature 1/2.) Logarithms need no reflection at 0, and their gradient is bounded by the
// counts.
//
// M is the inverse of the diagonal of the curvature, estimated during burn-in (by descent, throughout).
// Drifts of logarithms are clipped at 1.
#pragma once

#include <tulle/solve/coupled/sampler.hpp>

namespace tulle {

struct LangevinOptions {
  SamplerOptions sampler;
  // Gradients come from one batch of the entries at a time, scaled by the number of batches; an iteration
  // visits all batches.
  int batches = 4;
  // k of iteration t is step (1 + t / delay)^-power: for powers above 1/2, up to 1, the sum of the steps
  // diverges and that of their squares converges, as convergence requires.
  double step = 0.2;
  double delay = 50;
  double power = 0.55;
};

// SGLD. Its bias is of the order of the step and of the variance between batches.
Fit<CoupledPosterior> sample_sgld(const Study& study, const LangevinOptions& options, const Control& control);

// Langevin steps with a Metropolis-Hastings correction for every row of a factor, so without bias. Gradients
// use all entries; burn-in adapts the steps, which are constant afterwards, to an acceptance rate of 0.574
// (Roberts and Rosenthal 1998). The options for steps and batches are not used.
Fit<CoupledPosterior> sample_langevin(const Study& study, const LangevinOptions& options,
                                      const Control& control);

// Stochastic gradient descent to the mode of the posterior: the same steps without noise. Shapes of Gamma
// priors must be at least 1; factors without a prior get a flat one. Returns a point estimate.
Fit<CoupledPosterior> fit_sgd_map(const Study& study, const LangevinOptions& options, const Control& control);

}  // namespace tulle
