#include "chain.hpp"
#include "row_equations.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/coupled/least_squares.hpp>

#include <cmath>

namespace tulle {
namespace {

void check_for_squares(const Study& study) {
  check(study);
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    if (study.tables[v].power != 0)
      fail("relation {}: least squares are for divergence euclidean; its divergence is {}",
           study.model.products[v].name, divergence_name(study.tables[v].power));
  for (std::size_t d = 0; d < study.priors.size(); ++d)
    if (study.priors[d])
      fail("factor {}: least squares know no Gamma prior; state a variance, or take inference map",
           study.model.factors[d].name);
}

// One over the variance of a factor's prior; 0 without one.
double precision_of(const Study& study, std::size_t factor) {
  const auto prior = study.normal_prior(factor);
  return prior ? 1 / prior->variance : 0;
}

double squares_objective(const Study& study, const CoupledPasses& passes, const Coupled& model) {
  double sum = 0;
  const std::vector<double> divergences = passes.divergences(values_of(model));
  for (std::size_t v = 0; v < study.tables.size(); ++v) sum += study.tables[v].weight * divergences[v];
  for (std::size_t d = 0; d < model.factors.size(); ++d)
    if (const double precision = precision_of(study, d); precision > 0)
      for (double value : model.factors[d].values) sum += precision * value * value / 2;
  return sum;
}

}  // namespace

Fit<Coupled> fit_least_squares(const Study& study, const LeastSquaresOptions& options,
                               const Control& control) {
  check_for_squares(study);
  const CoupledPasses passes(study, control.seed, {.use = PassesFor::least_squares});
  Coupled model = options.start         ? *options.start
                  : options.nonnegative ? random_start(study, control.seed)
                                        : normal_start(study, control.seed);
  check(model);
  std::vector<double> weights;
  for (const Table& table : study.tables) weights.push_back(table.weight);
  Convergence convergence(control);
  RelativeChange change;
  for (bool go_on = control.max_iterations > 0; go_on;) {
    const auto update = [&](int factor) {
      std::vector<double>& rows = model.factors[factor].values;
      const RowEquations equations = equations_of(study, passes, factor, values_of(model), weights);
      const double precision = precision_of(study, static_cast<std::size_t>(factor));
      if (options.nonnegative)
        descend_rows(equations, precision, rows);
      else
        solve_rows(equations, std::vector<double>(rows.size(), precision), nullptr, rows);
    };
    for (const std::vector<int>& group : passes.groups())
      run_small_side_by_side(passes.operations(group), [&](std::size_t i) { update(group[i]); });
    const double objective = squares_objective(study, passes, model);
    if (!std::isfinite(objective))
      fail(
          "least squares: the factors have grown beyond all bounds; state a prior, prior = {{ variance = .. "
          "}}");
    go_on = convergence.record(objective, change(objective));
  }
  return std::move(convergence).finish(std::move(model));
}

}  // namespace tulle
