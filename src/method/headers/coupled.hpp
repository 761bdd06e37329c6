// Fitting a study without privacy: inference by its name.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/model/posterior.hpp>
#include <tulle/solve/fit.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

// Points: ml, factors that minimise the divergences, and map, with the Gamma priors of the study, both >= 0;
// als, least squares; hals, the same with factors >= 0 (hierarchical als); sgd_map, the mode of the posterior
// by stochastic gradients.
// Distributions: vb, variational Bayes; samples by sgld, langevin (with Metropolis-Hastings correction),
// gibbs.
enum class Inference { ml, map, vb, als, hals, sgd_map, sgld, langevin, gibbs };
std::string_view name(Inference inference);
Inference inference_of(std::string_view name);  // a UsageError when there is none
std::vector<std::string> inference_names();
bool is_sampler(Inference inference);

// What predicts missing cells of this study well where nobody says how: gibbs if all tables are Euclidean, no
// factor has a Gamma prior and cells are missing, since least squares and ml fit the noise of rows with few
// cells; otherwise ml.
Inference inference_for(const Study& study);

struct CoupledOptions {
  Inference inference = Inference::ml;
  bool estimate_dispersion = false;  // of every table, in ml and map; of Euclidean ones drawn by samplers
  bool adapt_priors = true;          // in vb; in samplers their parameters are drawn
  int starts = 1;                    // random ones, of which the best objective is kept; 1 for samplers
  int max_iterations = 500;          // of samplers the first half is burn-in
  double tolerance = 1e-6;           // samplers and sgd_map do all iterations
  int samples = 50;                  // kept by samplers
  int batches = 4;                   // of entries, in sgld and sgd_map
  std::optional<double> step{};      // the first, in sgld and sgd_map
  std::uint64_t seed = 0;
  Observer observer;
};

struct CoupledFit {
  CoupledPosterior posterior;  // of points the means alone
  std::vector<Iteration> history;
  bool converged = false;
  std::vector<std::string> remarks;
};

CoupledFit fit_study(const Study& study, const CoupledOptions& options);

}  // namespace tulle
