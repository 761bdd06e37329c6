#include "../convergence.hpp"
#include "coupled_passes.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/gamma.hpp>
#include <tulle/solve/coupled/variational.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kLeastPriorShape = 1e-3, kMostPriorShape = 1e3;
constexpr double kLeastPriorMean = 1e-12;

// The Gamma distributions of the elements of one factor.
struct GammaFactor {
  std::vector<double> shape, mean, geometric;  // C, E, L
  double prior_shape = 1;
  std::vector<double> prior_mean;  // by latent position, or one

  double prior_mean_of(std::size_t element) const { return prior_mean[element % prior_mean.size()]; }
};

// The shape a at which log a - digamma(a) is `excess`, which is above 0 (Newton on 1 / a; Minka 2002).
double shape_for(double excess) {
  double a = (3 - excess + std::sqrt((excess - 3) * (excess - 3) + 24 * excess)) / (12 * excess);
  for (int i = 0; i < 8; ++i) {
    const double inverse = 1 / a + (std::log(a) - digamma(a) - excess) / (a * a * (1 / a - trigamma(a)));
    if (!(inverse > 0)) break;
    a = 1 / inverse;
  }
  return std::clamp(a, kLeastPriorShape, kMostPriorShape);
}

class VariationalUpdates {
 public:
  VariationalUpdates(const Study& study, const VariationalOptions& options, std::uint64_t seed)
      : study_(study), passes_(study, seed) {
    const Coupled start = options.start ? *options.start : random_start(study, seed);
    check(start);
    const std::vector<Index> sizes = study.model.sizes();
    for (std::size_t d = 0; d < start.factors.size(); ++d) {
      GammaFactor factor;
      factor.mean = factor.geometric = start.factors[d].values;
      factor.shape.assign(factor.mean.size(), 1);
      const GammaPrior prior = study.priors[d].value_or(options.otherwise);
      factor.prior_shape = prior.shape;
      const bool is_core = study.model.entity_axes(start.factors[d].axes).empty();
      const std::size_t means = is_core ? 1 : cells_of(sizes, study.model.latent_axes(start.factors[d].axes));
      factor.prior_mean.assign(options.adapt_priors ? means : 1, prior.mean);
      factors_.push_back(std::move(factor));
    }
    for (const GammaFactor& factor : factors_) {
      means_.push_back(factor.mean.data());
      geometrics_.push_back(factor.geometric.data());
    }
  }

  void sweep() {
    for (std::size_t d = 0; d < factors_.size(); ++d) update(static_cast<int>(d));
  }

  // The mean of a prior that maximises the bound is the average of its elements' means; given that mean, the
  // best shape a is the one with log a - digamma(a) = excess.
  void adapt_priors() {
    for (GammaFactor& factor : factors_) {
      std::vector<double>& means = factor.prior_mean;
      std::fill(means.begin(), means.end(), 0.0);
      for (std::size_t i = 0; i < factor.mean.size(); ++i) means[i % means.size()] += factor.mean[i];
      for (double& mean : means)
        mean = std::max(mean * static_cast<double>(means.size()) / static_cast<double>(factor.mean.size()),
                        kLeastPriorMean);
      double excess = 0;
      for (std::size_t i = 0; i < factor.mean.size(); ++i)
        excess += std::log(factor.prior_mean_of(i)) - std::log(factor.geometric[i]) +
                  factor.mean[i] / factor.prior_mean_of(i) - 1;
      excess /= static_cast<double>(factor.mean.size());
      if (excess > 0) factor.prior_shape = shape_for(excess);
    }
  }

  double bound() const {
    double sum = 0;
    for (std::size_t v = 0; v < study_.tables.size(); ++v) sum += study_.tables[v].weight * evidence_of(v);
    for (const GammaFactor& factor : factors_) sum -= divergence_from_prior(factor);
    return sum;
  }

  CoupledPosterior take() && {
    CoupledPosterior posterior{study_.model, {}, {}};
    for (std::size_t d = 0; d < factors_.size(); ++d) {
      posterior.mean.factors[d].values = std::move(factors_[d].mean);
      posterior.shapes.push_back(std::move(factors_[d].shape));
    }
    return posterior;
  }

 private:
  void update(int d) {
    GammaFactor& factor = factors_[d];
    std::vector<double> counts(factor.mean.size()), rates(factor.mean.size());
    for (int v : passes_.tables_with(d)) {
      const double weight = study_.tables[v].weight;
      for (const CoupledPasses::Pass& pass : passes_.of(static_cast<std::size_t>(v), d))
        if (pass.data != 0)
          pass.entries.run<1>(geometrics_,
                              [&](double x, double m, std::array<double, 1>& coefficient) {
                                coefficient[0] = weight * pass.data * x / std::max(m, kLeastModel);
                                return 0.0;
                              },
                              {counts.data()});
      passes_.add_exposure(static_cast<std::size_t>(v), d, means_, weight, rates.data());
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      factor.shape[i] = factor.prior_shape + factor.geometric[i] * counts[i];
      const double scale = 1 / (factor.prior_shape / factor.prior_mean_of(i) + std::max(rates[i], 0.0));
      factor.mean[i] = factor.shape[i] * scale;
      factor.geometric[i] = std::exp(digamma(factor.shape[i])) * scale;
    }
  }

  // E[log p(X, S)] + entropy of S, where S, the counts of single components, has its optimal distribution.
  double evidence_of(std::size_t v) const {
    const Product& product = study_.model.products[v];
    double sum = passes_.closed(v) ? -sum_all_cells(study_.model, product, means_, false) : 0;
    for (const CoupledPasses::Pass& pass : passes_.of(v, product.factors.front())) {
      if (pass.data != 0)
        sum += pass.entries.run<0>(geometrics_,
                                   [&](double x, double m, std::array<double, 0>&) {
                                     const double log_m = std::log(std::max(m, kLeastModel));
                                     return pass.data * ((x > 0 ? x * log_m : 0) - std::lgamma(x + 1));
                                   },
                                   {});
      if (pass.model != 0)
        sum -= pass.entries.run<0>(
            means_, [&](double, double m, std::array<double, 0>&) { return pass.model * m; }, {});
    }
    return sum;
  }

  static double divergence_from_prior(const GammaFactor& factor) {
    const double a = factor.prior_shape, log_gamma = std::lgamma(a);
    double sum = 0;
    for (std::size_t i = 0; i < factor.mean.size(); ++i) {
      const double c = factor.shape[i], rate = c / factor.mean[i], prior_rate = a / factor.prior_mean_of(i);
      sum += (c - a) * digamma(c) - std::lgamma(c) + log_gamma + a * std::log(rate / prior_rate) +
             c * (prior_rate / rate - 1);
    }
    return sum;
  }

  const Study& study_;
  CoupledPasses passes_;
  std::vector<GammaFactor> factors_;
  std::vector<const double*> means_, geometrics_;
};

}  // namespace

Fit<CoupledPosterior> fit_variational(const Study& study, const VariationalOptions& options,
                                      const Control& control) {
  check(study);
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    if (!is<KullbackLeibler>(study.tables[v].divergence))
      fail("relation {}: variational inference is for counts, divergence kl; its divergence is {}",
           study.model.products[v].name, divergence_name(study.tables[v].divergence));
  VariationalUpdates updates(study, options, control.seed);
  Convergence convergence(control);
  RelativeChange change;
  for (bool go_on = control.max_iterations > 0; go_on;) {
    updates.sweep();
    if (options.adapt_priors) updates.adapt_priors();
    const double objective = -updates.bound();
    go_on = convergence.record(objective, change(objective));
  }
  return std::move(convergence).finish(std::move(updates).take());
}

}  // namespace tulle
