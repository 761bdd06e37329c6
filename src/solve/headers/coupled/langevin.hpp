// Gradient samplers of coupled models (Ermis 2020, 2.3 and 3.1.3). Factor by factor, with y the elements, or
// their logarithms where they are >= 0, and M a fixed diagonal matrix,
//   y += (k / 2) M gradient of log posterior(y) + N(0, k M).
// The noise has variance k where the gradient has k / 2: temperature 1. (Ermis' 2.13 has k and k, which
// samples at temperature 1/2.) Logarithms need no reflection at 0, and their gradient is bounded by the
// counts.
//
// M is the inverse of the diagonal of the curvature, estimated during burn-in. Drifts of logarithms are cut
// at 1.
#pragma once

#include <tulle/solve/coupled/sampler.hpp>

namespace tulle {

struct LangevinOptions {
  SamplerOptions sampler;
  // Gradients from one batch of the entries at a time, times their number; an iteration visits all of them.
  int batches = 4;
  // k of iteration t is step (1 + t / delay)^-power: for powers above 1/2, up to 1, the sum of the steps
  // diverges and that of their squares converges, as convergence requires.
  double step = 0.2;
  double delay = 50;
  double power = 0.55;
};

// SGLD. The bias is of the order of the step, and of the variance of batches.
Fit<CoupledPosterior> sample_sgld(const Study& study, const LangevinOptions& options, const Control& control);

// With Metropolis-Hastings correction for every row of a factor, all entries and constant steps, which
// burn-in adapts to an acceptance rate of 0.574 (Roberts and Rosenthal 1998): no bias. Options of steps are
// not used.
Fit<CoupledPosterior> sample_langevin(const Study& study, const LangevinOptions& options,
                                      const Control& control);

// Stochastic gradient descent to the mode of the posterior: the same steps without noise. Shapes of Gamma
// priors must be 1 at least; factors without a prior have a flat one. Returns a point.
Fit<CoupledPosterior> fit_sgd_map(const Study& study, const LangevinOptions& options, const Control& control);

}  // namespace tulle
