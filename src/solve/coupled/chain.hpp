// The loop of a sampler: burn-in, iterations and the samples that are kept.
#pragma once

#include "../convergence.hpp"
#include "coupled_passes.hpp"
#include "factor_priors.hpp"

#include <tulle/base/gamma.hpp>

namespace tulle {

class Chain {
 public:
  Chain(const Study& study, const SamplerOptions& options, const PassOptions& pass_options,
        const Control& control);

  // sweep(t) changes the factors, t = 0, 1, ..; after it, the priors' parameters and dispersions are drawn.
  template <class Sweep>
  Fit<CoupledPosterior> run(const Sweep& sweep) {
    Convergence convergence(control_);
    CoupledPosterior posterior{study_.model, {}, {}};
    const int kept_from = burn_in(),
              every = std::max(1, (control_.max_iterations - kept_from) / options_.samples);
    bool go_on = control_.max_iterations > 0;
    for (int t = 0; go_on; ++t) {
      sweep(t);
      if (options_.sample_priors) priors.draw(model, random);
      go_on = convergence.record(refresh_dispersions() + priors.energy(model), 1);
      if (t >= kept_from && (t - kept_from) % every == 0) posterior.samples.push_back(model);
    }
    if (posterior.samples.empty()) posterior.samples.push_back(model);
    posterior.mean = mean_of(posterior.samples);
    for (const Coupled& sample : posterior.samples) check_bounded(sample);
    check_bounded(model);
    return std::move(convergence).finish(std::move(posterior));
  }

  int burn_in() const { return control_.max_iterations / 2; }

  // The factor of a table's divergence in the energy.
  double scale(int table) const { return study_.tables[table].weight / model.products[table].dispersion; }

  CoupledPasses passes;
  FactorPriors priors;
  Coupled model;
  Random random;

 private:
  // Draws dispersions, if wanted, and returns the energy of the tables.
  double refresh_dispersions();
  static Coupled mean_of(const std::vector<Coupled>& samples);
  static void check_bounded(const Coupled& model);  // throws an Error if a factor has diverged

  const Study& study_;
  SamplerOptions options_;
  Control control_;
};

}  // namespace tulle
