#include "crafted.hpp"
#include "estimate/fit_released.hpp"
#include "fit_checks.hpp"
#include "methods.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/solve/cp/als.hpp>
#include <tulle/solve/cp/complete_als.hpp>
#include <tulle/solve/cp/complete_sgd.hpp>
#include <tulle/solve/tubal/admm.hpp>
#include <tulle/solve/tubal/decompose.hpp>
#include <tulle/solve/tucker/complete_als.hpp>
#include <tulle/solve/tucker/complete_sgd.hpp>
#include <tulle/solve/tucker/hooi.hpp>

namespace tulle {
namespace {

constexpr int kDefaultRank = 8;
constexpr Names<Solver, 5> kSolvers = {{{Solver::als, "als"},
                                        {Solver::sgd, "sgd"},
                                        {Solver::admm, "admm"},
                                        {Solver::hooi, "hooi"},
                                        {Solver::svd, "svd"}}};

const SparseTensor* with_missing_cells(const PlainRequest& request) {
  const auto* sparse = std::get_if<SparseTensor>(&request.data);
  return sparse && sparse->unlisted() == Unlisted::missing ? sparse : nullptr;
}

int order_of(const PlainRequest& request) {
  return std::visit([](const auto& tensor) { return tensor.order(); }, request.data);
}

int one_rank(const PlainRequest& request, int otherwise) {
  return request.fit.ranks.empty() ? otherwise : request.fit.ranks.front();
}

std::vector<int> rank_of_every_mode(const PlainRequest& request) {
  const std::size_t order = static_cast<std::size_t>(order_of(request));
  if (request.fit.ranks.empty()) return std::vector<int>(order, kDefaultRank);
  if (request.fit.ranks.size() == 1) return std::vector<int>(order, request.fit.ranks.front());
  return request.fit.ranks;
}

// Options that the request does not set keep the solver's defaults.
void apply(const PlainRequest& request, Control& control) {
  if (request.fit.max_iterations) control.max_iterations = *request.fit.max_iterations;
  if (request.fit.tolerance) control.tolerance = *request.fit.tolerance;
  control.seed = request.fit.seed;
  control.observer = request.fit.observer;
  control.device = request.fit.device;
}

template <class Options>
Options completion_options(const PlainRequest& request) {
  Options options;
  if (request.fit.ridge) options.ridge = *request.fit.ridge;
  options.biases = request.fit.biases;
  if (request.fit.start) options.start = *request.fit.start;
  options.validation = request.validation;
  apply(request, options.control);
  return options;
}

template <class M>
Completion done(Fit<M> fit, std::string solver) {
  return {.model = std::move(fit.model),
          .solver = std::move(solver),
          .history = std::move(fit.history),
          .converged = fit.converged};
}

// The model that the fit starts from, which is of the kind that is fitted (check_fit).
template <class M>
const M* start_model(const PlainRequest& request) {
  return request.fit.from ? &std::get<M>(*request.fit.from) : nullptr;
}

Completion fit_cp(const PlainRequest& request) {
  if (const SparseTensor* observed = with_missing_cells(request)) {
    if (request.fit.solver.value_or(Solver::als) == Solver::als) {
      auto options = completion_options<CpCompletionAlsOptions>(request);
      options.from = start_model<Cp>(request);
      options.held = request.fit.held;
      options.rank = one_rank(request, kDefaultRank);
      return done(complete_cp_als(*observed, options), "als");
    }
    auto options = completion_options<CpCompletionSgdOptions>(request);
    options.rank = one_rank(request, kDefaultRank);
    return done(complete_cp_sgd(*observed, options), "sgd");
  }
  CpAlsOptions options;
  options.rank = one_rank(request, kDefaultRank);
  if (request.fit.ridge) options.ridge = *request.fit.ridge;
  options.start =
      request.fit.start.value_or(Start::spectral);  // on full data it rarely ends in a poor local minimum
  apply(request, options.control);
  return done(std::visit([&](const auto& tensor) { return cp_als(tensor, options); }, request.data), "als");
}

Completion fit_tucker(const PlainRequest& request) {
  if (const SparseTensor* observed = with_missing_cells(request)) {
    if (request.fit.solver.value_or(Solver::als) == Solver::als) {
      auto options = completion_options<TuckerCompletionAlsOptions>(request);
      options.from = start_model<Tucker>(request);
      options.held = request.fit.held;
      options.ranks = rank_of_every_mode(request);
      return done(complete_tucker_als(*observed, options), "als");
    }
    auto options = completion_options<TuckerCompletionSgdOptions>(request);
    options.ranks = rank_of_every_mode(request);
    return done(complete_tucker_sgd(*observed, options), "sgd");
  }
  TuckerOptions options;
  options.ranks = rank_of_every_mode(request);
  if (request.fit.start) options.start = *request.fit.start;
  apply(request, options.control);
  return done(std::visit([&](const auto& tensor) { return hooi(tensor, options); }, request.data), "hooi");
}

Completion decompose_tubal(const PlainRequest& request) {
  const auto* dense = std::get_if<DenseTensor>(&request.data);
  if (!dense) fail_usage("tubal takes missing cells or a dense tensor; use cp or tucker for unlisted zeros");
  const int most = static_cast<int>(std::min({dense->shape()[0], dense->shape()[1], Index{kDefaultRank}}));
  return done(tubal_decompose(*dense, one_rank(request, most)), "svd");
}

Completion fit_tubal(const PlainRequest& request) {
  const SparseTensor* observed = with_missing_cells(request);
  if (!observed) return decompose_tubal(request);
  TubalAdmmOptions options;
  options.max_rank = one_rank(request, 0);
  options.centre = request.fit.biases;
  options.validation = request.validation;
  apply(request, options.control);
  return done(complete_tubal(*observed, options), "admm");
}

Completion fit(const PlainRequest& request) {
  if (request.fit.model == ModelKind::cp) return fit_cp(request);
  if (request.fit.model == ModelKind::tucker) return fit_tucker(request);
  return fit_tubal(request);
}

}  // namespace

std::string_view name(Solver solver) {
  return name_in(kSolvers, solver);
}

Solver solver_of(std::string_view name) {
  return find_named(kSolvers, name, "solver");
}

Completion complete_plainly(const PlainRequest& request) {
  check_fit(request.fit, std::visit([](const auto& tensor) { return tensor.shape(); }, request.data));
  check_plain_fit(request.fit, with_missing_cells(request) != nullptr);
  Completion completion = fit(request);
  completion.guarantee = Curator::without_privacy().guarantee();
  return completion;
}

namespace {

// The range of the observed values. A fit to heavy tails may predict values far beyond them in a few missing
// cells.
std::optional<Range> range_of(const SparseTensor& observed) {
  if (observed.size() == 0) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(observed.values());
  return low < high ? std::optional(Range{low, high}) : std::nullopt;
}

}  // namespace

Completion complete_best(const PlainRequest& request) {
  const SparseTensor* const observed = with_missing_cells(request);
  const FitOptions& fit = request.fit;
  const bool open = observed && fit.model != ModelKind::tubal && fit.ranks.empty() && !fit.from &&
                    fit.held.empty() && !fit.biases && !request.validation;
  if (!open) return complete_plainly(request);
  check_fit(fit, observed->shape());
  check_plain_fit(fit, true);
  Completion completion = fit_observed(*observed, fit);
  completion.guarantee = Curator::without_privacy().guarantee();
  completion.range = range_of(*observed);
  return completion;
}

Method plain_method() {
  return {.name = "plain",
          .title = "fit without privacy: the baseline",
          .source = "Tulle",
          .guarantee = "none: anyone who sees the model may learn about single entries",
          .details =
              "Models cp (solvers als, sgd), tucker (als, sgd) and tubal (admm). The fit ignores missing "
              "cells and never imputes them. A tensor without missing cells is decomposed: cp by als, tucker "
              "by hooi, tubal by its truncated t-SVD. Without a rank, for cp and tucker on missing cells: "
              "rank, biases, ridges and solver by cross-validation.",
          .reads = {kAllFitOptions.begin(), kAllFitOptions.end()},
          .worst_cases = {{.data = value_in_full_tensor(), .trials = 2'000, .quick_trials = 200}}};
}

}  // namespace tulle
