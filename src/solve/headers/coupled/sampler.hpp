// What samplers of coupled models share.
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
  // Kept ones, evenly spaced over the second half of the iterations; the first half is burn-in.
  int samples = 50;
  // Draws the rates of Gamma priors, and the precisions of normal ones, from their posterior as well: one for
  // every combination of a factor's latent indices, or one where it has no other indices. Their own prior is
  // exponential, and its mean is what the study states.
  bool sample_priors = true;
  // Draws the variances of Gaussian tables, whose prior is flat on their logarithm.
  bool sample_dispersion = false;
  GammaPrior otherwise = {0.5, 1};  // of factors without a prior
  NormalPrior otherwise_normal = {1};
  const Coupled* start = nullptr;  // otherwise random
};

}  // namespace tulle
