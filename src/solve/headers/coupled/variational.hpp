// Variational Bayes for coupled models of counts, CTF-VB (Ermis 2020, section 3.1.2): Poisson tables, Gamma
// priors, any product of factors.
//
// The posterior is approximated by independent Gamma distributions of all elements, shape C and scale D, with
//   C = shape + L * (sum of x / m_L times the product of the other factors' L),
//   D = 1 / (shape / mean + sum over observed cells of the product of the other factors' E),
// where E = C D is the mean, L = exp(digamma(C)) D the geometric mean, and m_L the model of the L. After
// every factor the bound of the log evidence is no smaller.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/model/posterior.hpp>
#include <tulle/solve/fit.hpp>

namespace tulle {

struct VariationalOptions {
  // Chooses the priors that make the bound largest, after every sweep: of each factor the shape, and the mean
  // for every combination of its latent indices, or one where a factor has no other indices. Components that
  // the data do not need get a small mean in this way.
  bool adapt_priors = true;
  GammaPrior otherwise = {0.5, 1};  // of factors without a prior
  const Coupled* start = nullptr;   // means to begin with; otherwise random
};

// All tables must have p = 1. Iteration::objective is minus the bound.
Fit<CoupledPosterior> fit_variational(const Study& study, const VariationalOptions& options,
                                      const Control& control);

}  // namespace tulle
