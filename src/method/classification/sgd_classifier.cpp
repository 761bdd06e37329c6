// DP-SGD on a network (Abadi et al. 2016).
//
// Unit, relation:  example, add-remove or replace. Public: number of features, classes, range,
//                  options; the number of examples too unless the relation is add-remove.
// Releases:        1. under add-remove the number of examples: sensitivity 1. 2. per step, of a Poisson
//                  sample of the examples, the sum of gradients clipped to C (solve/network/
//                  example_gradients.hpp): an example adds C at most in L2. One plan for all.
// After that free: steps, momentum, the prior.
// Cost:            O(sampled examples x parameters) per step.
// Audit:           exact: src/audit/classification/classification_pairs.cpp.
#include "methods.hpp"
#include "network_steps.hpp"

namespace tulle {
namespace {

StepSettings sgd_steps() {
  return {.steps = 600,
          .sampler = PoissonSampler(0.04),
          .clip = 1,
          .momentum = 0.5,
          .schedule = [](int step, int steps) { return 1 - 0.9 * step / steps; },
          .longest = 16};
}

ClassificationOutcome classify_by_sgd(const ClassificationRequest& request, Curator& curator) {
  const StepSettings settings = with_given(sgd_steps(), request.settings);
  const NetworkLayout layout = layout_for(request, {1000});
  const StepNoise noise = plan_steps(request, curator, settings);
  const double examples = count_examples(request, curator, noise.count);
  NetworkSteps steps(request, curator, settings, noise.step, examples);
  const auto parameters =
      steps.run(gradients_of(request, layout), layout, layout.random_start(request.options.seed));
  return {.model = network_of(request, layout, parameters),
          .solver = "dp-sgd",
          .remarks = steps.remarks(),
          .history = steps.history(),
          .noise_multiplier = noise.step};
}

}  // namespace

Method sgd_classifier() {
  std::vector<WorstCase> worst = worst_of_steps();
  WorstCase sampled = worst.front(), adaptive = worst.front();
  sampled.settings.set(setting::sampling_rate, 0.5);
  adaptive.settings.set(setting::clip_quantile, 0.5);
  worst.insert(worst.end(), {sampled, adaptive});
  return {
      .job = Job::classification,
      .name = "sgd",
      .title = "stochastic gradient descent with clipped gradients and Gaussian noise",
      .source = "Abadi et al. 2016",
      .guarantee = "(epsilon, delta)-private for an example",
      .details =
          "A network of the given hidden layers (by default 1000 units) on the values themselves. Each step "
          "sums the gradients of a Poisson sample, clipped together over all layers, and adds noise.",
      .protects = example_neighbours(),
      .settings = step_settings(sgd_steps()),
      .needs_delta = true,
      .sound = classify_by_sgd,
      .no_refit = "each release is a gradient at the network that earlier ones made",
      .pairs = {.weight = 0.5},
      .worst_cases = std::move(worst)};
}

}  // namespace tulle
