// Fitting a study without privacy: inference by its name.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/model/posterior.hpp>
#include <tulle/solve/fit.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tulle {

// ml: factors that minimise the divergences; map: with the priors of the study; vb: variational Bayes, which
// also knows how uncertain they are.
enum class Inference { ml, map, vb };
std::string_view name(Inference inference);
Inference inference_of(std::string_view name);  // a UsageError when there is none

struct CoupledOptions {
  Inference inference = Inference::ml;
  bool estimate_dispersion = false;  // of every table, in ml and map
  bool adapt_priors = true;          // in vb
  int starts = 1;                    // random ones, of which the best objective is kept
  int max_iterations = 500;
  double tolerance = 1e-6;
  std::uint64_t seed = 0;
  Observer observer;
};

struct CoupledFit {
  CoupledPosterior posterior;  // of ml and map the means alone
  std::vector<Iteration> history;
  bool converged = false;
  std::vector<std::string> remarks;
};

CoupledFit fit_study(const Study& study, const CoupledOptions& options);

}  // namespace tulle
