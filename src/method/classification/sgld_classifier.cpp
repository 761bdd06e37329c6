// Stochastic gradient Langevin dynamics on a network: samples of the posterior (ermis2020, 2.3; Welling and
// Teh 2011), with DP-SGD's noise as a part of the Langevin noise.
//
// Unit, relation:  example, add-remove or replace. Public: as for sgd.
// Releases:        as sgd: the number of examples under add-remove, and the clipped sums of gradients.
// After that free: steps, the prior N(0, I), the rest of the Langevin noise, samples.
//
// With g the gradient of the mean log-posterior and rate r, a step r g is one of length k = 2 r / N along the
// gradient of the log-posterior itself, (k / 2) N g. Langevin dynamics at temperature 1 needs noise of
// variance k in it; the released gradient already contributes (r s)^2 from the noise s in g. The difference
// is added; if there is too much noise, the temperature is above 1, which a remark states.
#include "methods.hpp"
#include "network_steps.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

StepSettings sgld_steps() {
  return {.steps = 600, .sampler = PoissonSampler(0.04), .clip = 1, .longest = 1};
}
// The largest number of samples: at equal distances over the last half of the steps or, with fewer than 20
// steps, the last ones.
constexpr int kSamples = 10;

ClassificationOutcome classify_by_sgld(const ClassificationRequest& request, Curator& curator) {
  const StepSettings settings = with_given(sgld_steps(), request.settings);
  const NetworkLayout layout = layout_for(request, {1000});
  const StepNoise noise = plan_steps(request, curator, settings);
  const double examples = count_examples(request, curator, noise.count);
  NetworkSteps steps(request, curator, settings, noise.step, examples);
  Random random(request.options.seed, 1);
  ClassificationOutcome outcome;
  double temperature = 1;
  const int between = std::max(1, settings.steps / 2 / kSamples);
  const auto after = [&](int step, std::vector<double>& parameters, double stddev) {
    const double rate = steps.learning_rate();
    const double wanted = 2 * rate / examples, present = std::pow(rate * stddev, 2);
    temperature = std::max(1.0, present / wanted);
    const double missing = std::sqrt(std::max(0.0, wanted - present));
    if (missing > 0)
      for (double& parameter : parameters) parameter += missing * random.normal();
    const int left = settings.steps - step;
    if (left % between == 0 && left / between < kSamples)
      outcome.samples.push_back(network_of(request, layout, parameters));
  };
  const auto parameters =
      steps.run(gradients_of(request, layout), layout, layout.random_start(request.options.seed), after);
  outcome.model = network_of(request, layout, parameters);
  outcome.solver = "sgld";
  outcome.history = steps.history();
  outcome.noise_multiplier = noise.step;
  outcome.remarks = steps.remarks(fmt::format("{} samples of the posterior, at temperature {:.3g}.",
                                              outcome.samples.size(), temperature));
  return outcome;
}

}  // namespace

Method sgld_classifier() {
  return {
      .job = Job::classification,
      .name = "sgld",
      .title = "samples of the posterior by stochastic gradient Langevin dynamics",
      .source = "ermis2020, chapter 8 (without dropout)",
      .guarantee = "(epsilon, delta)-private for an example",
      .details =
          "DP-SGD whose noise is a part of the Langevin noise; the rest is added, so that the last steps are "
          "samples of the posterior under a N(0, I) prior. The prediction is the mean over samples.",
      .protects = example_neighbours(),
      .settings = step_settings(sgld_steps()),
      .needs_delta = true,
      .sound = classify_by_sgld,
      .no_refit = "each release is a gradient at the network that earlier ones made",
      .pairs = {.weight = 0.5},
      .worst_cases = worst_of_steps()};
}

}  // namespace tulle
