#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/data/unobserved.hpp>
#include <tulle/method/coupled.hpp>
#include <tulle/solve/coupled/gibbs.hpp>
#include <tulle/solve/coupled/langevin.hpp>
#include <tulle/solve/coupled/least_squares.hpp>
#include <tulle/solve/coupled/multiplicative.hpp>
#include <tulle/solve/coupled/variational.hpp>
#include <tulle/solve/coupled/zero_sample.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr Names<Inference, 9> kInferences = {{{Inference::ml, "ml"},
                                              {Inference::map, "map"},
                                              {Inference::vb, "vb"},
                                              {Inference::als, "als"},
                                              {Inference::hals, "hals"},
                                              {Inference::sgd_map, "sgd-map"},
                                              {Inference::sgld, "sgld"},
                                              {Inference::langevin, "langevin"},
                                              {Inference::gibbs, "gibbs"}}};

CoupledFit result(Fit<Coupled> fit) {
  return {{std::move(fit.model), {}, {}}, std::move(fit.history), fit.converged, {}};
}

CoupledFit result(Fit<CoupledPosterior> fit) {
  return {std::move(fit.model), std::move(fit.history), fit.converged, {}};
}

CoupledFit fit_once(const Study& study, const CoupledOptions& options, std::uint64_t seed) {
  const Control control{options.max_iterations, options.tolerance, seed, options.observer};
  const SamplerOptions sampler{.samples = options.samples,
                               .sample_priors = options.adapt_priors,
                               .sample_dispersion = options.estimate_dispersion};
  LangevinOptions langevin{.sampler = sampler, .batches = options.batches};
  if (options.step) langevin.step = *options.step;
  switch (options.inference) {
    case Inference::vb:
      return result(fit_variational(study, {.adapt_priors = options.adapt_priors}, control));
    case Inference::als:
      return result(fit_least_squares(study, {}, control));
    case Inference::hals:
      return result(fit_least_squares(study, {.nonnegative = true}, control));
    case Inference::sgd_map:
      return result(fit_sgd_map(study, langevin, control));
    case Inference::sgld:
      return result(sample_sgld(study, langevin, control));
    case Inference::langevin:
      return result(sample_langevin(study, langevin, control));
    case Inference::gibbs:
      return result(sample_gibbs(study, sampler, control));
    default:
      return result(fit_multiplicative(study,
                                       {.use_priors = options.inference == Inference::map,
                                        .estimate_dispersion = options.estimate_dispersion},
                                       control));
  }
}

bool is_one_of(Inference inference, std::initializer_list<Inference> several) {
  return std::ranges::find(several, inference) != several.end();
}

void check_options(const Study& study, const CoupledOptions& options) {
  using enum Inference;
  if (options.starts < 1) fail_usage("starts is {}; it must be 1 or more", options.starts);
  if (options.starts > 1 && is_sampler(options.inference))
    fail_usage("starts is {}, but samples of several chains are not compared; give more iterations instead",
               options.starts);
  if (options.max_iterations < 1)
    fail_usage("iterations is {}; it must be 1 or more", options.max_iterations);
  if (options.estimate_dispersion && is_one_of(options.inference, {vb, als, hals, sgd_map}))
    fail_usage("dispersions are estimated with inference ml, map, sgld, langevin or gibbs; omit them for {}",
               name(options.inference));
  if (options.inference == map &&
      std::ranges::none_of(study.priors, [](const auto& prior) { return prior.has_value(); }))
    fail_usage("inference map needs a prior; state prior = {{ shape = .., mean = .. }} in the study");
}

// Whether parameters that the data do not determine have a prior.
bool has_prior(const Study& study, Inference inference, std::size_t factor) {
  using enum Inference;
  if (inference == vb || is_sampler(inference)) return true;
  if (is_one_of(inference, {als, hals})) return study.normal_prior(factor).has_value();
  if (inference == sgd_map && !study.is_positive()) return study.normal_prior(factor).has_value();
  return inference != ml && study.priors[factor].has_value();
}

// Rows that no observed cell depends on would keep their random start: without a prior they become 0, the
// solution of least norm.
void clear_unobserved(const Study& study, Inference inference, CoupledFit& fit) {
  const auto unobserved = unobserved_rows(study);
  for (std::size_t d = 0; d < unobserved.size(); ++d) {
    if (unobserved[d].empty()) continue;
    Factor& factor = fit.posterior.mean.factors[d];
    const std::size_t width = cells_of(study.model.sizes(), study.model.latent_axes(factor.axes));
    const bool prior = has_prior(study, inference, d);
    if (!prior)
      for (std::size_t row : unobserved[d])
        std::fill_n(factor.values.begin() + static_cast<std::ptrdiff_t>(row * width), width, 0.0);
    fit.remarks.push_back(
        fmt::format("factor {}: {} of {} rows have no known cell; they {}", factor.name, unobserved[d].size(),
                    factor.values.size() / width,
                    prior ? "follow the prior alone" : "are 0, and so is what they predict"));
  }
}

}  // namespace

std::string_view name(Inference inference) {
  return name_in(kInferences, inference);
}

Inference inference_of(std::string_view name) {
  return find_named(kInferences, name, "inference");
}

std::vector<std::string> inference_names() {
  std::vector<std::string> names;
  for (const auto& [inference, text] : kInferences) names.emplace_back(text);
  return names;
}

bool is_sampler(Inference inference) {
  return is_one_of(inference, {Inference::sgld, Inference::langevin, Inference::gibbs});
}

Inference inference_for(const Study& study) {
  const bool is_euclidean =
      std::ranges::all_of(study.tables, [](const Table& table) { return is<Euclidean>(table.divergence); });
  const bool has_missing = std::ranges::any_of(
      study.tables, [](const Table& table) { return table.observed_cells() < table.data.shape().cells(); });
  return is_euclidean && has_missing && !study.is_positive() ? Inference::gibbs : Inference::ml;
}

CoupledFit fit_study(const Study& study, const CoupledOptions& options) {
  check_options(study, options);
  CoupledFit best = fit_once(study, options, options.seed);
  for (int start = 1; start < options.starts; ++start) {
    CoupledFit fit = fit_once(study, options, options.seed + static_cast<std::uint64_t>(start));
    if (fit.history.back().objective < best.history.back().objective) best = std::move(fit);
  }
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    if (samples_zeros(study.tables[v]))
      best.remarks.push_back(
          fmt::format("relation {}: divergence {} has no closed form for zeros; {} of them were sampled",
                      study.model.products[v].name, divergence_name(study.tables[v].divergence),
                      zero_sample_size(study.tables[v])));
  for (std::size_t v = 0; v < study.tables.size(); ++v) {
    best.posterior.mean.products[v].log_odds = is<Bernoulli>(study.tables[v].divergence);
    for (Coupled& sample : best.posterior.samples)
      sample.products[v].log_odds = best.posterior.mean.products[v].log_odds;
  }
  clear_unobserved(study, options.inference, best);
  const bool has_variances =
      std::ranges::any_of(study.normal_priors, [](const auto& prior) { return prior.has_value(); });
  if (is_one_of(options.inference, {Inference::ml, Inference::als, Inference::hals}) && !has_variances &&
      inference_for(study) == Inference::gibbs)
    best.remarks.push_back(
        fmt::format("cells are missing and factors have no prior, so {} fits noise too, and predictions may "
                    "be far off: inference "
                    "gibbs estimates variances, or state prior = {{ variance = .. }}",
                    name(options.inference)));
  return best;
}

}  // namespace tulle
