#include "../convergence.hpp"
#include "coupled_passes.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/coupled/multiplicative.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kLeastElement = 1e-30;    // an element of 0 would stay 0, since updates only multiply
constexpr double kLeastDispersion = 1e-5;  // relative to the data

// A bound, because a table that is fitted exactly would get an infinite weight. Its unit is that of x^(2-p).
double least_dispersion(const Table& table) {
  double sum = 0;
  for (float value : table.data.values()) sum += std::max<double>(value, table.floor);
  const double mean = sum / std::max<double>(1, static_cast<double>(table.data.size()));
  return kLeastDispersion * (mean > 0 ? std::pow(mean, 2 - *power_of(table.divergence)) : 1);
}

void check_for_updates(const Study& study, const MultiplicativeOptions& options) {
  check(study);
  for (std::size_t v = 0; v < study.tables.size(); ++v) {
    if (!power_of(study.tables[v].divergence))
      fail(
          "relation {}: there are no multiplicative updates for divergence {}; take inference sgd-map, sgld "
          "or langevin",
          study.model.products[v].name, divergence_name(study.tables[v].divergence));
    if (std::ranges::any_of(study.tables[v].data.values(), [](float value) { return value < 0; }))
      fail("relation {}: multiplicative updates need data of 0 or above; use als for data of any sign",
           study.model.products[v].name);
  }
  if (options.use_priors)
    for (std::size_t d = 0; d < study.priors.size(); ++d)
      if (study.priors[d] && study.priors[d]->shape < 1)
        fail("factor {}: a Gamma prior of shape {} has no mode; take 1 or more, or variational inference",
             study.model.factors[d].name, study.priors[d]->shape);
}

class MultiplicativeUpdates {
 public:
  MultiplicativeUpdates(const Study& study, const MultiplicativeOptions& options, std::uint64_t seed)
      : study_(study), options_(options), passes_(study, seed) {
    model_ = options.start ? *options.start : random_start(study, seed);
    check(model_);
  }

  void sweep() {
    for (const std::vector<int>& group : passes_.groups())
      run_small_side_by_side(passes_.operations(group), [&](std::size_t i) { update(group[i]); });
  }

  // Estimates dispersions, if wanted, and returns the objective.
  double objective() {
    double sum = 0;
    const std::vector<double> divergences = passes_.divergences(values_of(model_));
    for (std::size_t v = 0; v < study_.tables.size(); ++v) {
      const double divergence = divergences[v];
      const double cells = study_.tables[v].observed_cells();
      double& phi = model_.products[v].dispersion;
      if (options_.estimate_dispersion)
        phi = std::max(2 * divergence / cells, least_dispersion(study_.tables[v]));
      sum += study_.tables[v].weight * (divergence / phi + 0.5 * cells * std::log(phi));
    }
    for (std::size_t d = 0; d < model_.factors.size(); ++d)
      if (const GammaPrior* prior = prior_of(d))
        for (double value : model_.factors[d].values)
          sum += prior->rate() * value - (prior->shape > 1 ? (prior->shape - 1) * std::log(value) : 0);
    return sum;
  }

  Coupled take() && { return std::move(model_); }

 private:
  const GammaPrior* prior_of(std::size_t factor) const {
    return options_.use_priors && study_.priors[factor] ? &*study_.priors[factor] : nullptr;
  }

  double exponent(int factor) const {
    const bool has_prior = prior_of(static_cast<std::size_t>(factor)) != nullptr;
    double least = has_prior ? 1 : 3, most = has_prior ? 1 : 0;
    for (int v : passes_.tables_with(factor)) {
      const double power = *power_of(study_.tables[v].divergence);
      least = std::min(least, power);
      most = std::max(most, power);
    }
    return 1 / (1 + most - std::min(least, 1.0));
  }

  void update(int factor) {
    std::vector<double>& theta = model_.factors[factor].values;
    std::vector<double> pull(theta.size()), push(theta.size());
    std::vector<double> scales;
    for (std::size_t v = 0; v < study_.tables.size(); ++v)
      scales.push_back(study_.tables[v].weight / model_.products[v].dispersion);
    passes_.add_gradients(factor, values_of(model_), scales, pull.data(), push.data());
    const GammaPrior* prior = prior_of(static_cast<std::size_t>(factor));
    const double gamma = exponent(factor);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double up = pull[i] + (prior ? (prior->shape - 1) / theta[i] : 0);
      const double down = push[i] + (prior ? prior->rate() : 0);
      if (!(down > 0)) continue;  // no observed cell depends on the element
      const double ratio = up / down;
      theta[i] = std::max(theta[i] * (gamma == 1 ? ratio : std::pow(ratio, gamma)), kLeastElement);
    }
  }

  const Study& study_;
  MultiplicativeOptions options_;
  CoupledPasses passes_;
  Coupled model_;
};

}  // namespace

Fit<Coupled> fit_multiplicative(const Study& study, const MultiplicativeOptions& options,
                                const Control& control) {
  check_for_updates(study, options);
  MultiplicativeUpdates updates(study, options, control.seed);
  Convergence convergence(control);
  RelativeChange change;
  for (bool go_on = control.max_iterations > 0; go_on;) {
    updates.sweep();
    const double objective = updates.objective();
    go_on = convergence.record(objective, change(objective));
  }
  return std::move(convergence).finish(std::move(updates).take());
}

}  // namespace tulle
