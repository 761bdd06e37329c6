// Variational Bayes for coupled models of counts, CTF-VB (Ermis 2020, section 3.1.2): Poisson tables, Gamma
// priors, any product of factors.
//
// The posterior is approximated by independent Gamma distributions of all elements with shape C and scale D,
//   C = shape + L * (sum of x / m_L times the product of the other factors' L),
//   D = 1 / (shape / mean + sum over observed cells of the product of the other factors' E),
// where E = C D is the mean, L = exp(digamma(C)) D the geometric mean, and m_L the model made of the L. No
// update of a factor lowers the bound of the log evidence.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/model/posterior.hpp>
#include <tulle/solve/fit.hpp>

namespace tulle {

struct VariationalOptions {
  // After every sweep, sets the priors that maximise the bound: for each factor the shape, and a mean for
  // every combination of its latent indices, or a single one if it has no other indices. This gives
  // components that the data do not need a small mean.
  bool adapt_priors = true;
  GammaPrior otherwise = {0.5, 1};  // for factors without a prior
  const Coupled* start = nullptr;   // initial means; otherwise random
};

// All tables must have p = 1. Iteration::objective is minus the bound.
Fit<CoupledPosterior> fit_variational(const Study& study, const VariationalOptions& options,
                                      const Control& control);

}  // namespace tulle
