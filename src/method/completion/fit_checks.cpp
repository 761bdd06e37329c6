#include "fit_checks.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/spelling.hpp>
#include <tulle/solve/warm_start.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

void check_ranks(const FitOptions& fit, const Shape& shape) {
  const int order = shape.order();
  const std::size_t count = fit.ranks.size();
  if (fit.model != ModelKind::tucker && count > 1)
    fail_usage("{} takes one rank, not {}", name(fit.model), count);
  if (count > 1 && count != static_cast<std::size_t>(order))
    fail_usage("{} ranks for {} modes; give one for all, or one per mode", count, order);
  for (int rank : fit.ranks)
    if (rank < 0) fail_usage("rank {}: give 0 or more", rank);
  if (fit.model != ModelKind::tubal || count == 0) return;
  const Index most = std::min(shape[0], shape[1]);
  if (static_cast<Index>(fit.ranks.front()) > most)
    fail_usage("rank {} is beyond this tensor: a tubal model of it has {} at most", fit.ranks.front(), most);
}

// The model that the fit starts from must be of the kind that is fitted, and has its rank.
void check_start(const FitOptions& fit, const Shape& shape) {
  if (!fit.from) return check_warm_start(nullptr, shape, fit.held);
  if (!fit.ranks.empty())
    fail_usage("a fit that starts from a model has the rank of that model; omit the rank");
  if (kind(*fit.from) != fit.model)
    fail_usage("the model to start from is {}, not {}; choose its kind", name(kind(*fit.from)),
               name(fit.model));
  const Shape from = tulle::shape(*fit.from);
  check_warm_start(&from, shape, fit.held);
}

// The first is the default.
std::vector<Solver> solvers_for(ModelKind model, bool missing_cells) {
  if (model == ModelKind::tubal) return {missing_cells ? Solver::admm : Solver::svd};
  if (missing_cells) return {Solver::als, Solver::sgd};
  return {model == ModelKind::cp ? Solver::als : Solver::hooi};
}

bool does_read(Solver solver, bool missing_cells, FitOption option) {
  switch (option) {
    case FitOption::biases:
      return missing_cells;
    case FitOption::ridge:
      return solver == Solver::als || solver == Solver::sgd;
    case FitOption::start:
      return solver != Solver::admm && solver != Solver::svd;
    case FitOption::iterations:
    case FitOption::tolerance:
      return solver != Solver::svd;
    default:
      return true;
  }
}

void check_options(const FitOptions& fit, Solver solver, bool missing_cells) {
  for (const FitOption option : fit.given())
    if (!does_read(solver, missing_cells, option))
      fail_usage("solver {} does not read {}; omit it", name(solver), option_name(name(option)));
}

}  // namespace

void check_model(const Method& method, const Neighbours& neighbours, ModelKind model) {
  const Protects& pair = method.protection(neighbours.unit, neighbours.relation);
  const std::vector<ModelKind>& models = method.models_for(pair);
  if (models.empty() || std::ranges::find(models, model) != models.end()) return;
  std::vector<std::string_view> names;
  for (ModelKind known : models) names.push_back(name(known));
  const std::string alone =
      pair.models.empty() ? "" : fmt::format(" for unit {} under {}", name(pair.unit), name(pair.relation));
  fail_usage("method {} has no model '{}'{}; it has: {}", method.name, name(model), alone,
             fmt::join(names, ", "));
}

void check_fit(const FitOptions& fit, const Shape& shape) {
  if (fit.model == ModelKind::topics || fit.model == ModelKind::counts)
    fail_usage("a tensor has no model {}; it has: cp, tucker, tubal", name(fit.model));
  check_ranks(fit, shape);
  check_start(fit, shape);
  check(fit.orders, shape);
  if (fit.ridge && !(*fit.ridge >= 0 && std::isfinite(*fit.ridge)))
    fail_usage("ridge {}: give a finite number, 0 or more", *fit.ridge);
  if (fit.max_iterations && *fit.max_iterations < 1)
    fail_usage("{} iterations: give 1 or more", *fit.max_iterations);
  if (fit.tolerance && !(*fit.tolerance >= 0)) fail_usage("tolerance {}: give 0 or more", *fit.tolerance);
}

void check_solver(const FitOptions& fit, bool missing_cells) {
  const std::vector<Solver> solvers = solvers_for(fit.model, missing_cells);
  const Solver solver = fit.solver.value_or(solvers.front());
  if (std::ranges::find(solvers, solver) == solvers.end()) {
    std::vector<std::string_view> names;
    for (Solver known : solvers) names.push_back(name(known));
    fail_usage("there is no solver '{}' for {} here; there is: {}", name(solver), name(fit.model),
               fmt::join(names, ", "));
  }
  if (fit.biases && !missing_cells) fail_usage("biases need a tensor with missing cells; this one has none");
  check_options(fit, solver, missing_cells);
  const bool can_start = missing_cells && solver == Solver::als;
  if (!can_start && (fit.from || !fit.held.empty()))
    fail_usage("this fit cannot start from a model; als on missing cells can, for cp and tucker");
}

void check_plain_fit(const FitOptions& fit, bool missing_cells) {
  if (fit.block_size > 0)
    fail_usage("a fit without privacy needs the data of all units together; omit the block size");
  check_solver(fit, missing_cells);
  const bool zero_is_no_limit = fit.model == ModelKind::tubal && missing_cells;
  if (!zero_is_no_limit && std::ranges::find(fit.ranks, 0) != fit.ranks.end())
    fail_usage("rank 0: give 1 or more");
}

}  // namespace tulle
