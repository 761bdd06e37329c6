#include "../convergence.hpp"
#include "../subspace.hpp"
#include "normal_start.hpp"
#include "row_equations.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/coupled/least_squares.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

void check_for_squares(const Study& study) {
  check(study);
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    if (!is<Euclidean>(study.tables[v].divergence))
      fail("relation {}: least squares are for divergence euclidean; its divergence is {}",
           study.model.products[v].name, divergence_name(study.tables[v].divergence));
  for (std::size_t d = 0; d < study.priors.size(); ++d)
    if (study.priors[d])
      fail("factor {}: least squares does not support Gamma priors; state a variance, or take inference map",
           study.model.factors[d].name);
}

// One over the variance of a factor's prior; 0 without a prior.
double precision_of(const Study& study, std::size_t factor) {
  const auto prior = study.normal_prior(factor);
  return prior ? 1 / prior->variance : 0;
}

// The state of a fit.
class LeastSquares {
 public:
  LeastSquares(const Study& study, const LeastSquaresOptions& options, std::uint64_t seed);

  void sweep() { update_groups_from(0); }
  double objective() const;
  Coupled take() { return std::move(model_); }

 private:
  bool begin_with_data(const NormalStart& random, std::uint64_t seed);
  bool begin_with_sketch(int number, double scale, std::uint64_t seed);
  void update_groups_from(std::size_t first);
  void update(int factor);
  void find_gram(int number);

  const Study& study_;
  const LeastSquaresOptions& options_;
  const CoupledPasses passes_;
  Coupled model_;
  std::vector<double> weights_;
  std::vector<std::vector<double>> grams_;  // of large factors that have a table with all cells
};

LeastSquares::LeastSquares(const Study& study, const LeastSquaresOptions& options, std::uint64_t seed)
    : study_(study),
      options_(options),
      passes_(study, seed, {.use = PassesFor::least_squares}),
      model_(study.model),
      grams_(study.model.factors.size()) {
  for (const Table& table : study.tables) weights_.push_back(table.weight);
  bool has_seen_data = false;
  if (options.start)
    model_ = *options.start;
  else if (options.nonnegative)
    model_ = random_start(study, seed);
  else
    has_seen_data = begin_with_data(NormalStart(study, passes_, seed), seed);
  check(model_);
  for (std::size_t d = 0; d < grams_.size(); ++d) find_gram(static_cast<int>(d));
  if (has_seen_data) update_groups_from(1);
}

// If the factors of the first group can start from sketches of their tables, the other groups are updated
// once before the first sweep. The second group then needs no start of its own, and later ones start at
// random.
bool LeastSquares::begin_with_data(const NormalStart& random, std::uint64_t seed) {
  const std::vector<std::vector<int>>& groups = passes_.groups();
  for (int factor : groups[0])
    if (!begin_with_sketch(factor, random.scale(factor), seed)) {
      model_ = random.model();
      return false;
    }
  for (std::size_t g = 1; g < groups.size(); ++g)
    for (int factor : groups[g])
      model_.factors[factor].values =
          g == 1 ? std::vector<double>(cells_of(model_.sizes(), model_.factors[factor].axes))
                 : random.values(factor);
  return true;
}

// Sets a factor to the leading left singular vectors of a sketch of its tables, scaled so that its elements
// have the root mean square `scale`. The more combinations a sketch has, the nearer they are to those of the
// tables.
bool LeastSquares::begin_with_sketch(int number, double scale, std::uint64_t seed) {
  constexpr Eigen::Index kCombinations = 3;  // for each vector
  Factor& factor = model_.factors[number];
  const auto rank = static_cast<Eigen::Index>(cells_of(model_.sizes(), model_.latent_axes(factor.axes)));
  const std::optional<Matrix> sketch = passes_.sketch(number, kCombinations * rank, seed);
  if (!sketch || sketch->rows() < rank || !sketch->allFinite()) return false;
  const Matrix rows = leading_left_vectors(*sketch, static_cast<int>(rank)) *
                      (scale * std::sqrt(static_cast<double>(sketch->rows())));
  factor.values.assign(rows.data(), rows.data() + rows.size());
  return true;
}

void LeastSquares::update_groups_from(std::size_t first) {
  for (std::size_t g = first; g < passes_.groups().size(); ++g) {
    const std::vector<int>& group = passes_.groups()[g];
    run_small_side_by_side(passes_.operations(group), [&](std::size_t i) { update(group[i]); });
  }
}

void LeastSquares::update(int factor) {
  std::vector<double>& rows = model_.factors[factor].values;
  const RowEquations equations = equations_of(study_, passes_, factor, {values_of(model_), grams_}, weights_);
  const double precision = precision_of(study_, static_cast<std::size_t>(factor));
  if (options_.nonnegative)
    descend_rows(equations, precision, rows);
  else
    solve_rows(equations, {&precision, 1}, nullptr, rows);
  find_gram(factor);
}

// Only if the Gram matrix is no larger than the factor: that of a core would be far larger.
void LeastSquares::find_gram(int number) {
  const Factor& factor = model_.factors[number];
  const std::size_t unknowns = cells_of(model_.sizes(), model_.latent_axes(factor.axes));
  const bool is_needed =
      std::ranges::any_of(passes_.tables_with(number), [&](int v) { return passes_.closed(v); });
  if (is_needed && unknowns * unknowns <= factor.values.size()) grams_[number] = gram_of(model_, number);
}

// The divergence of a table that is fitted exactly consists of rounding errors of its floats and of the sums:
// it may even be negative, and would change from sweep to sweep for ever, so it counts as 0.
double LeastSquares::objective() const {
  constexpr double kRoundingOfData = 1e-13;  // of squares: 3e-7 of the values
  double sum = 0;
  const std::vector<double> divergences = passes_.divergences({values_of(model_), grams_});
  for (std::size_t v = 0; v < study_.tables.size(); ++v)
    if (!(divergences[v] < kRoundingOfData * passes_.squares(v) / 2))
      sum += study_.tables[v].weight * divergences[v];
  for (std::size_t d = 0; d < model_.factors.size(); ++d)
    if (const double precision = precision_of(study_, d); precision > 0)
      for (double value : model_.factors[d].values) sum += precision * value * value / 2;
  if (!std::isfinite(sum))
    fail(
        "least squares: the factors grow without bound; state a prior, prior = {{ variance = .. "
        "}}");
  return sum;
}

}  // namespace

Fit<Coupled> fit_least_squares(const Study& study, const LeastSquaresOptions& options,
                               const Control& control) {
  check_for_squares(study);
  LeastSquares fit(study, options, control.seed);
  Convergence convergence(control);
  RelativeChange change;
  for (bool go_on = control.max_iterations > 0; go_on;) {
    fit.sweep();
    const double objective = fit.objective();
    go_on = convergence.record(objective, change(objective));
  }
  return std::move(convergence).finish(fit.take());
}

}  // namespace tulle
