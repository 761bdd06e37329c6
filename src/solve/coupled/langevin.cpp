#include "chain.hpp"
#include "row_equations.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/coupled/langevin.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace tulle {
namespace {

enum class Kind { descent, stochastic, corrected };

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostDrift = 1;        // of the logarithm of an element, in one step
constexpr double kMostLogarithm = 300;  // absolute value of the logarithm of an element
constexpr double kWantedAcceptance = 0.574;
constexpr double kFirstCorrectedStep = 0.5;
constexpr double kForgetting = 0.1;  // weight of the newest curvature in its running mean

// The state of a factor in the coordinates of its steps: its elements, or their logarithms.
struct Place {
  std::vector<double> y, slope;     // slope: the gradient of the log posterior
  std::vector<double> log_density;  // by row
  std::vector<double> curvature;    // about the diagonal of minus its Hessian; for positive factors only
};

class LangevinSweep {
 public:
  LangevinSweep(const Study& study, Chain& chain, const LangevinOptions& options, Kind kind)
      : study_(study),
        chain_(chain),
        options_(options),
        kind_(kind),
        curvature_(study.model.factors.size()),
        corrected_step_(study.model.factors.size(), kFirstCorrectedStep) {
    order_.resize(static_cast<std::size_t>(kind == Kind::corrected ? 1 : options.batches));
    std::iota(order_.begin(), order_.end(), 0);
  }

  void operator()(int iteration) {
    adapting_ = iteration < chain_.burn_in() || kind_ == Kind::descent;
    const double step = options_.step * std::pow(1 + iteration / options_.delay, -options_.power);
    chain_.random.shuffle(std::span(order_));
    for (int batch : order_)
      for (std::size_t d = 0; d < chain_.model.factors.size(); ++d)
        if (kind_ == Kind::corrected)
          correct(static_cast<int>(d), iteration);
        else
          advance(static_cast<int>(d), batch, step);
  }

 private:
  std::vector<double>& values(int d) const { return chain_.model.factors[d].values; }
  std::size_t slice(int d) const {
    return cells_of(chain_.model.sizes(), chain_.model.latent_axes(chain_.model.factors[d].axes));
  }

  Place place(int d, std::optional<int> batch) const {
    const std::vector<double>& theta = values(d);
    const std::size_t width = slice(d);
    RowGradient gradient{std::vector<double>(theta.size()), std::vector<double>(theta.size()),
                         std::vector<double>(theta.size() / width)};
    for (int v : chain_.passes.tables_with(d))
      chain_.passes.add_row_gradient(static_cast<std::size_t>(v), d, values_of(chain_.model), chain_.scale(v),
                                     batch, gradient);
    Place place{theta, theta, std::vector<double>(gradient.energy.size()), {}};
    for (std::size_t row = 0; row < gradient.energy.size(); ++row)
      place.log_density[row] = -gradient.energy[row];
    if (chain_.priors.positive())
      in_logarithms(d, gradient, place);
    else
      in_elements(d, gradient, place);
    return place;
  }

  // The density of a logarithm has one more factor theta. Descent seeks the mode in theta, without it.
  void in_logarithms(int d, const RowGradient& gradient, Place& place) const {
    const std::size_t width = slice(d);
    const double shape = chain_.priors.shape(d), a = kind_ == Kind::descent ? shape - 1 : shape;
    place.curvature.resize(place.y.size());
    for (std::size_t i = 0; i < place.y.size(); ++i) {
      const double theta = values(d)[i], rate = chain_.priors.rate(d, i);
      place.y[i] = std::log(theta);
      place.slope[i] = theta * (gradient.pull[i] - gradient.push[i] - rate) + a;
      place.log_density[i / width] += a * place.y[i] - rate * theta;
      // At the mode theta (push + rate) = theta pull + a.
      place.curvature[i] = (theta * (gradient.pull[i] + gradient.push[i] + rate) + a) / 2;
    }
  }

  void in_elements(int d, const RowGradient& gradient, Place& place) const {
    const std::size_t width = slice(d);
    for (std::size_t i = 0; i < place.y.size(); ++i) {
      const double theta = place.y[i], precision = chain_.priors.rate(d, i);
      place.slope[i] = gradient.pull[i] - gradient.push[i] - precision * theta;
      place.log_density[i / width] -= precision * theta * theta / 2;
    }
  }

  void set(int d, const std::vector<double>& y) const {
    std::vector<double>& theta = values(d);
    for (std::size_t i = 0; i < y.size(); ++i)
      theta[i] =
          chain_.priors.positive() ? std::exp(std::clamp(y[i], -kMostLogarithm, kMostLogarithm)) : y[i];
  }

  // Averages the curvature, for samplers during burn-in only: later it must not depend on the state.
  void adapt_curvature(int d, const Place& place) {
    std::vector<double>& mean = curvature_[static_cast<std::size_t>(d)];
    if (!adapting_) return;
    const std::vector<double> now = chain_.priors.positive() ? place.curvature : diagonal(d);
    if (mean.empty()) mean = now;
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] = std::max((1 - kForgetting) * mean[i] + kForgetting * now[i], 1e-300);
  }

  std::vector<double> diagonal(int d) const {
    std::vector<double> scales, result(values(d).size());
    for (std::size_t v = 0; v < study_.tables.size(); ++v)
      scales.push_back(
          chain_.scale(static_cast<int>(v)) *
          std::visit([](const auto& divergence) { return divergence.bend(); }, study_.tables[v].divergence));
    const RowEquations equations = equations_of(study_, chain_.passes, d, values_of(chain_.model), scales);
    const std::size_t n = equations.unknowns;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = equations.matrix(i / n)[i % n * n + i % n] + chain_.priors.rate(d, i);
    return result;
  }

  double drift(int d, std::size_t element, double slope, double step) const {
    const double move = step / 2 * slope / curvature_[static_cast<std::size_t>(d)][element];
    return chain_.priors.positive() ? std::clamp(move, -kMostDrift, kMostDrift) : move;
  }

  void advance(int d, int batch, double step) {
    Place here = place(d, options_.batches > 1 ? std::optional(batch) : std::nullopt);
    adapt_curvature(d, here);
    for (std::size_t i = 0; i < here.y.size(); ++i) {
      here.y[i] += drift(d, i, here.slope[i], step);
      if (kind_ == Kind::stochastic)
        here.y[i] += std::sqrt(step / curvature_[static_cast<std::size_t>(d)][i]) * chain_.random.normal();
    }
    set(d, here.y);
  }

  // Rows of a factor are independent given the other factors, so each is accepted or rejected separately.
  void correct(int d, int iteration) {
    double& step = corrected_step_[static_cast<std::size_t>(d)];
    const std::size_t width = slice(d);
    const Place here = place(d, std::nullopt);
    adapt_curvature(d, here);
    const std::vector<double>& curvature = curvature_[static_cast<std::size_t>(d)];
    std::vector<double> proposed = here.y, log_ratio(here.log_density.size());
    for (std::size_t i = 0; i < proposed.size(); ++i) {
      const double noise = chain_.random.normal();
      proposed[i] += drift(d, i, here.slope[i], step) + std::sqrt(step / curvature[i]) * noise;
      log_ratio[i / width] += noise * noise / 2;
    }
    set(d, proposed);
    const Place there = place(d, std::nullopt);
    for (std::size_t i = 0; i < proposed.size(); ++i) {
      const double back = here.y[i] - there.y[i] - drift(d, i, there.slope[i], step);
      log_ratio[i / width] -= back * back * curvature[i] / (2 * step);
    }
    double accepted = 0;
    for (std::size_t row = 0; row < log_ratio.size(); ++row) {
      log_ratio[row] += there.log_density[row] - here.log_density[row];
      const bool accept = std::log(1 - chain_.random.uniform()) < log_ratio[row];
      accepted += accept ? 1 : 0;
      if (!accept) std::copy_n(&here.y[row * width], width, &proposed[row * width]);
    }
    set(d, proposed);
    const double rate = accepted / static_cast<double>(log_ratio.size());
    if (adapting_)
      step = std::min(step * std::exp((rate - kWantedAcceptance) / std::sqrt(1 + iteration)), 4.0);
  }

  const Study& study_;
  Chain& chain_;
  LangevinOptions options_;
  Kind kind_;
  bool adapting_ = true;
  std::vector<int> order_;                      // of the batches
  std::vector<std::vector<double>> curvature_;  // by factor
  std::vector<double> corrected_step_;
};

// With more batches than entries some would be empty, and each costs as much as the sums over all cells.
void check_batches(const Study& study, int batches) {
  std::size_t most = LangevinOptions().batches;
  for (const Table& table : study.tables) most = std::max(most, table.data.size());
  if (static_cast<std::size_t>(batches) > most)
    fail_usage("batches is {}, but no relation has more than {} entries; give fewer", batches, most);
}

void check_steps(const Study& study, const LangevinOptions& options, Kind kind) {
  check(study);
  if (options.batches < 1) fail_usage("batches is {}; it must be 1 or more", options.batches);
  if (kind != Kind::corrected) check_batches(study, options.batches);
  if (!(options.step > 0 && options.delay > 0 && options.power > 0.5 && options.power <= 1))
    fail_usage("steps of {} (1 + t / {})^-{}: they must be above 0, and the power above 0.5, up to 1",
               options.step, options.delay, options.power);
  if (kind != Kind::descent) return;
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    for (int factor : study.model.products[v].factors)
      if (is<Bernoulli>(study.tables[v].divergence) && !study.normal_prior(static_cast<std::size_t>(factor)))
        fail("factor {}: its mode may be infinite under divergence bernoulli; state a prior with a variance",
             study.model.factors[static_cast<std::size_t>(factor)].name);
  for (std::size_t d = 0; d < study.priors.size(); ++d)
    if (study.priors[d] && study.priors[d]->shape < 1)
      fail("factor {}: a Gamma prior of shape {} has no mode; take 1 or more, or a sampler",
           study.model.factors[d].name, study.priors[d]->shape);
}

Fit<CoupledPosterior> run_langevin(const Study& study, const LangevinOptions& options, const Control& control,
                                   Kind kind) {
  check_steps(study, options, kind);
  SamplerOptions sampler = options.sampler;
  if (kind == Kind::descent) {
    sampler.sample_priors = sampler.sample_dispersion = false;
    sampler.samples = 1;
    sampler.otherwise = {1, kInfinity};
    sampler.otherwise_normal = {kInfinity};
  }
  Chain chain(study, sampler,
              {.use = PassesFor::rows, .batches = kind == Kind::corrected ? 1 : options.batches}, control);
  LangevinSweep sweep(study, chain, options, kind);
  auto fit = chain.run(std::ref(sweep));
  if (kind == Kind::descent) fit.model = {chain.model, {}, {}};
  return fit;
}

}  // namespace

Fit<CoupledPosterior> sample_sgld(const Study& study, const LangevinOptions& options,
                                  const Control& control) {
  return run_langevin(study, options, control, Kind::stochastic);
}

Fit<CoupledPosterior> sample_langevin(const Study& study, const LangevinOptions& options,
                                      const Control& control) {
  return run_langevin(study, options, control, Kind::corrected);
}

Fit<CoupledPosterior> fit_sgd_map(const Study& study, const LangevinOptions& options,
                                  const Control& control) {
  return run_langevin(study, options, control, Kind::descent);
}

}  // namespace tulle
