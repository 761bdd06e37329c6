#include "chain.hpp"
#include "row_equations.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/multinomial.hpp>
#include <tulle/solve/coupled/gibbs.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kLeastRate = 1e-300;  // of an element whose Gamma number underflowed

void check_for_gibbs(const Study& study) {
  check(study);
  const auto is_euclidean = [](const Table& table) { return is<Euclidean>(table.divergence); };
  if (!study.is_positive() && std::ranges::all_of(study.tables, is_euclidean)) return;
  for (std::size_t v = 0; v < study.tables.size(); ++v) {
    const Table& table = study.tables[v];
    const std::string& name = study.model.products[v].name;
    if (!is<KullbackLeibler>(table.divergence) || table.weight != 1 || table.floor != 0)
      fail(
          "relation {}: Gibbs sampling is for counts (divergence kl, weight 1, no floor), or with Euclidean "
          "tables alone and no Gamma prior",
          name);
    for (float value : table.data.values())
      if (value != std::floor(value))
        fail("relation {}: Gibbs sampling divides counts, and {} is not a whole number", name, value);
  }
}

class GibbsSweep {
 public:
  GibbsSweep(const Study& study, Chain& chain) : study_(study), chain_(chain) {}

  void operator()(int) const {
    for (std::size_t d = 0; d < chain_.model.factors.size(); ++d)
      if (chain_.priors.positive())
        draw_rates(static_cast<int>(d));
      else
        draw_rows(static_cast<int>(d));
  }

 private:
  void draw_rates(int d) const {
    std::vector<double>& theta = chain_.model.factors[d].values;
    std::vector<double> counts(theta.size()), exposure(theta.size());
    const auto values = values_of(chain_.model);
    for (int v : chain_.passes.tables_with(d)) {
      const auto table = static_cast<std::size_t>(v);
      for (const CoupledPasses::Pass& pass : chain_.passes.of(table, d))
        if (pass.data != 0) allocate(pass.entries, values, counts);
      chain_.passes.add_exposure(table, d, values, 1, exposure.data());
    }
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] = std::max(draw_gamma(chain_.random, chain_.priors.shape(d) + counts[i]), kLeastRate) /
                 (chain_.priors.rate(d, i) + std::max(exposure[i], 0.0));
  }

  // Every entry has its own random stream, so the result does not depend on the number of threads.
  void allocate(const EntryPass& pass, FactorValues values, std::vector<double>& counts) const {
    const std::size_t slice = pass.slice();
    const std::uint64_t seed = chain_.random.bits();
    pass.run_rows(
        values, slice,
        [&](std::size_t entry, double x, double m, const double* target, const double* others, double* sums) {
          if (!(x > 0 && m > 0)) return 0.0;
          thread_local std::vector<double> weights;
          weights.resize(slice);
          for (std::size_t i = 0; i < slice; ++i) weights[i] = target[i] * others[i];
          Random random(seed, entry + 1);
          draw_multinomial(random, static_cast<std::uint64_t>(x), weights, {sums, slice});
          return 0.0;
        },
        [&](std::size_t row, const std::vector<double>& sums) {
          for (std::size_t i = 0; i < slice; ++i) counts[row + i] += sums[i];
        });
  }

  void draw_rows(int d) const {
    std::vector<double>& theta = chain_.model.factors[d].values;
    std::vector<double> scales, precisions(theta.size());
    for (std::size_t v = 0; v < study_.tables.size(); ++v)
      scales.push_back(chain_.scale(static_cast<int>(v)));
    for (std::size_t i = 0; i < theta.size(); ++i) precisions[i] = chain_.priors.rate(d, i);
    const RowEquations equations = equations_of(study_, chain_.passes, d, values_of(chain_.model), scales);
    solve_rows(equations, precisions, &chain_.random, theta);
  }

  const Study& study_;
  Chain& chain_;
};

}  // namespace

Fit<CoupledPosterior> sample_gibbs(const Study& study, const SamplerOptions& options,
                                   const Control& control) {
  check_for_gibbs(study);
  Chain chain(study, options, {.use = PassesFor::rows}, control);
  return chain.run(GibbsSweep(study, chain));
}

}  // namespace tulle
