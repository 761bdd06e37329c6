#include "chain.hpp"

#include "normal_start.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

constexpr std::uint64_t kChainStream = 0x636861696e;

Coupled start_of(const Study& study, const CoupledPasses& passes, const SamplerOptions& options,
                 std::uint64_t seed) {
  if (options.start) return *options.start;
  return study.is_positive() ? random_start(study, seed) : NormalStart(study, passes, seed).model();
}

}  // namespace

Chain::Chain(const Study& study, const SamplerOptions& options, const PassOptions& pass_options,
             const Control& control)
    : passes(study, control.seed, pass_options),
      priors(study, options),
      model(start_of(study, passes, options, control.seed)),
      random(control.seed, kChainStream),
      study_(study),
      options_(options),
      control_(control) {
  check(model);
  if (options.samples < 1) fail_usage("samples is {}; it must be 1 or more", options.samples);
}

double Chain::refresh_dispersions() {
  double sum = 0;
  for (std::size_t v = 0; v < study_.tables.size(); ++v) {
    const Table& table = study_.tables[v];
    const double divergence = table.weight * passes.divergence(v, values_of(model));
    const double half = 0.5 * table.weight * table.observed_cells();
    double& phi = model.products[v].dispersion;
    if (options_.sample_dispersion && is<Euclidean>(table.divergence))
      phi = std::max(divergence / draw_gamma(random, half), 1e-300);
    sum += divergence / phi + (is<Euclidean>(table.divergence) ? half * std::log(phi) : 0);
  }
  return sum;
}

Coupled Chain::mean_of(const std::vector<Coupled>& samples) {
  Coupled mean = samples.front();
  const double count = static_cast<double>(samples.size());
  for (std::size_t d = 0; d < mean.factors.size(); ++d)
    for (std::size_t i = 0; i < mean.factors[d].values.size(); ++i) {
      double sum = 0;
      for (const Coupled& sample : samples) sum += sample.factors[d].values[i];
      mean.factors[d].values[i] = sum / count;
    }
  for (std::size_t v = 0; v < mean.products.size(); ++v) {
    double sum = 0;
    for (const Coupled& sample : samples) sum += sample.products[v].dispersion;
    mean.products[v].dispersion = sum / count;
  }
  return mean;
}

void Chain::check_bounded(const Coupled& model) {
  constexpr double kMost = std::numeric_limits<float>::max();
  for (const Factor& factor : model.factors)
    if (!std::ranges::all_of(factor.values, [](double value) { return std::abs(value) <= kMost; }))
      fail(
          "the factors grow without bound; scale the data down, or give a smaller first step (sgld, "
          "sgd-map)");
}

}  // namespace tulle
