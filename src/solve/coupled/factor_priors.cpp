#include "factor_priors.hpp"

#include <tulle/base/gamma.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

FactorPriors::FactorPriors(const Study& study, const SamplerOptions& options)
    : positive_(study.is_positive()) {
  const std::vector<Index> sizes = study.model.sizes();
  for (std::size_t d = 0; d < study.model.factors.size(); ++d) {
    const GammaPrior gamma = study.priors[d].value_or(options.otherwise);
    const NormalPrior normal = study.normal_prior(d).value_or(options.otherwise_normal);
    Prior prior{positive_ ? gamma.shape : 0.5, positive_ ? gamma.rate() : 1 / normal.variance, {}};
    const Axes& axes = study.model.factors[d].axes;
    const bool is_core = study.model.entity_axes(axes).empty();
    prior.rates.assign(is_core ? 1 : cells_of(sizes, study.model.latent_axes(axes)), prior.stated);
    factors_.push_back(std::move(prior));
  }
}

double FactorPriors::energy(const Coupled& model) const {
  double sum = 0;
  for (std::size_t d = 0; d < factors_.size(); ++d) {
    const Prior& prior = factors_[d];
    if (prior.stated == 0) continue;  // flat
    const std::vector<double>& values = model.factors[d].values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double rate = prior.rates[i % prior.rates.size()];
      sum += rate * statistic(values[i]) - prior.shape * std::log(rate);
      if (positive_) sum -= (prior.shape - 1) * std::log(values[i]);
    }
    for (double rate : prior.rates) sum += rate / prior.stated;
  }
  return sum;
}

void FactorPriors::draw(const Coupled& model, Random& random) {
  for (std::size_t d = 0; d < factors_.size(); ++d) {
    Prior& prior = factors_[d];
    const std::vector<double>& values = model.factors[d].values;
    std::vector<double> sums(prior.rates.size());
    for (std::size_t i = 0; i < values.size(); ++i) sums[i % sums.size()] += statistic(values[i]);
    const double elements = static_cast<double>(values.size() / sums.size());
    for (std::size_t k = 0; k < sums.size(); ++k)
      prior.rates[k] = draw_gamma(random, 1 + elements * prior.shape) / (1 / prior.stated + sums[k]);
  }
}

}  // namespace tulle
