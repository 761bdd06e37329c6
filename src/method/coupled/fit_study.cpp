#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/method/coupled.hpp>
#include <tulle/solve/coupled/multiplicative.hpp>
#include <tulle/solve/coupled/variational.hpp>
#include <tulle/solve/coupled/zero_sample.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr Names<Inference, 3> kInferences = {
    {{Inference::ml, "ml"}, {Inference::map, "map"}, {Inference::vb, "vb"}}};

CoupledFit fit_once(const Study& study, const CoupledOptions& options, std::uint64_t seed) {
  const Control control{options.max_iterations, options.tolerance, seed, options.observer};
  if (options.inference == Inference::vb) {
    auto fit = fit_variational(study, {.adapt_priors = options.adapt_priors}, control);
    return {std::move(fit.model), std::move(fit.history), fit.converged, {}};
  }
  auto fit = fit_multiplicative(
      study,
      {.use_priors = options.inference == Inference::map, .estimate_dispersion = options.estimate_dispersion},
      control);
  return {{std::move(fit.model), {}, {}}, std::move(fit.history), fit.converged, {}};
}

void check_options(const Study& study, const CoupledOptions& options) {
  if (options.starts < 1) fail_usage("starts is {}; it must be 1 or more", options.starts);
  if (options.max_iterations < 1)
    fail_usage("iterations is {}; it must be 1 or more", options.max_iterations);
  if (options.inference == Inference::vb && options.estimate_dispersion)
    fail_usage("dispersions are estimated with inference ml or map; leave them out for vb");
  if (options.inference == Inference::map &&
      std::ranges::none_of(study.priors, [](const auto& prior) { return prior.has_value(); }))
    fail_usage("inference map needs a prior; state prior = {{ shape = .., mean = .. }} in the study");
}

}  // namespace

std::string_view name(Inference inference) {
  return name_in(kInferences, inference);
}

Inference inference_of(std::string_view name) {
  return find_named(kInferences, name, "inference");
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
                      study.model.products[v].name, divergence_name(study.tables[v].power),
                      zero_sample_size(study.tables[v])));
  return best;
}

}  // namespace tulle
