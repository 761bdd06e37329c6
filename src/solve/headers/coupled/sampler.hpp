// Options that the samplers of coupled models share.
//
// The posterior density is proportional to exp(-(sum over tables of weight divergence / phi)) times the
// priors: Poisson tables (p = 1) with Gamma priors, Gaussian tables (p = 0) of variance phi / weight with
// normal priors, or, with Gamma priors, quasi-likelihoods of any other p. Study::is_positive says which.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/model/posterior.hpp>
#include <tulle/solve/fit.hpp>

namespace tulle {

struct SamplerOptions {
  // Samples to keep at even intervals from the second half of the iterations; the first half is burn-in. The
  // interval is a whole number of iterations, rounded down, so fewer than twice as many may be kept.
  int samples = 50;
  // Samples the rates of Gamma priors, and the precisions of normal ones, too: one for every combination of a
  // factor's latent indices, or a single one if it has no other indices. Their own prior is exponential, and
  // its mean is the value that the study states.
  bool sample_priors = true;
  // Samples the variances of Gaussian tables, whose prior is flat in their logarithm.
  bool sample_dispersion = false;
  GammaPrior otherwise = {0.5, 1};  // for factors without a prior
  NormalPrior otherwise_normal = {1};
  const Coupled* start = nullptr;  // otherwise random
};

}  // namespace tulle
