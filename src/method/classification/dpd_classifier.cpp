// Differentially private dropout (ermis2020, chapter 5): the noise of a private gradient step, read as
// Gaussian dropout of the weights.
//
// Unit, relation:  example, add-remove or replace. Public: as for sgd.
// Releases:        as sgd: the number of examples under add-remove, and sums of gradients clipped together
//                  over all layers.
// After that free: steps, the prior N(0, I), samples, and the dropout rate alpha that the noise amounts to:
//                  noise of variance (rate s)^2 on a weight w is dropout N(1, alpha) with alpha = (rate s /
//                  w)^2.
// Published:       algorithm 3 with appendix E: batches of fixed size, the gradient of a batch clipped to G
//                  per layer, noise of standard deviation 2 G sigma, an equal part of epsilon for every
//                  layer.
#include "methods.hpp"
#include "network_steps.hpp"
#include "published/dpd_noise.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/network/network_pass.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// Defaults as for sgd; those of the published form are chapter 8's for MNIST.
StepSettings dpd_steps() {
  return {.steps = 600, .sampler = PoissonSampler(0.04), .clip = 1, .schedule = [](int step, int steps) {
            return 1 - 0.9 * step / steps;
          }};
}
constexpr double kPublishedClip = 3, kPublishedStep = 0.1, kPublishedShare = 0.01;
constexpr int kPublishedSteps = 20'000;

double median_dropout(std::vector<double> weights, double stddev) {
  std::erase(weights, 0.0);
  if (weights.empty()) return 0;
  for (double& weight : weights) weight = std::pow(stddev / weight, 2);
  const auto middle = weights.begin() + static_cast<std::ptrdiff_t>(weights.size() / 2);
  std::nth_element(weights.begin(), middle, weights.end());
  return *middle;
}

ClassificationOutcome classify_by_dpd(const ClassificationRequest& request, Curator& curator) {
  const StepSettings settings = with_given(dpd_steps(), request.settings);
  const NetworkLayout layout = layout_for(request, {1000});
  const StepNoise noise = plan_steps(request, curator, settings);
  const double examples = count_examples(request, curator, noise.count);
  NetworkSteps steps(request, curator, settings, noise.step, examples);
  double noise_of_weight = 0;
  const auto after = [&](int step, std::vector<double>&, double stddev) {
    noise_of_weight = steps.learning_rate() * settings.schedule(step - 1, settings.steps) * stddev;
  };
  const auto parameters =
      steps.run(gradients_of(request, layout), layout, layout.random_start(request.options.seed), after);
  const double alpha = median_dropout(parameters, noise_of_weight);
  return {.model = network_of(request, layout, parameters),
          .solver = "dpd",
          .remarks = steps.remarks(fmt::format(
              "The noise of the last step is Gaussian dropout of rate alpha {:.3g} on the median weight.",
              alpha)),
          .history = steps.history(),
          .noise_multiplier = noise.step,
          .dropout_alpha = alpha};
}

// ---- As published ----

// The gradient of the log-posterior, estimated from a batch, layer by layer clipped to `clip` (5.4).
std::vector<std::vector<double>> clipped_by_layer(const LabelledExamples& all, const FloatMatrix& prepared,
                                                  const NetworkLayout& layout,
                                                  const std::vector<double>& parameters, NetworkPass& pass,
                                                  std::span<const std::size_t> batch, double clip) {
  FloatMatrix examples(static_cast<Eigen::Index>(batch.size()), prepared.cols());
  std::vector<int> labels;
  for (std::size_t example : batch) {
    examples.row(static_cast<Eigen::Index>(labels.size())) = prepared.row(static_cast<Eigen::Index>(example));
    labels.push_back(all.labels[example]);
  }
  pass.use(parameters);
  pass.forward(std::move(examples));
  pass.backward(labels);
  std::vector<double> sum(layout.size());
  pass.add_gradients(sum);
  const double scale = static_cast<double>(all.size()) / static_cast<double>(batch.size());
  std::vector<std::vector<double>> layers;
  for (int layer = 0; layer < layout.layers(); ++layer) {
    const std::size_t start = layout.start(layer);
    std::vector<double>& part = layers.emplace_back(layout.start(layer + 1) - start);
    double square = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i] = -scale * sum[start + i] - parameters[start + i];
      square += part[i] * part[i];
    }
    for (double& number : part) number /= std::max(1.0, std::sqrt(square) / clip);
  }
  return layers;
}

struct PublishedRun {
  int steps;
  double rate, step, clip, noise;
};

PublishedRun published_run(const ClassificationRequest& request, int layers) {
  if (request.settings.get(setting::clip_quantile))
    fail_usage("clip-quantile is for the sound form; omit it");
  if (!(request.budget.delta > 0)) fail_usage("dpd as published needs a delta above 0, such as 1e-4");
  PublishedRun run{request.settings.get(setting::steps).value_or(kPublishedSteps),
                   request.settings.get(setting::sampling_rate).value_or(kPublishedShare),
                   request.settings.get(setting::learning_rate).value_or(kPublishedStep),
                   request.settings.get(setting::clip).value_or(kPublishedClip), 0};
  const Budget of_layer{request.budget.epsilon / layers, request.budget.delta / layers};
  run.noise = (request.options.accounting == PublishedAccounting::zcdp ? dpd_noise_zcdp : dpd_noise_ac)(
      of_layer, run.steps, run.rate);
  return run;
}

ClassificationOutcome classify_as_published(const ClassificationRequest& request, Curator& curator) {
  const NetworkLayout layout = layout_for(request, {1000});
  const PublishedRun run = published_run(request, layout.layers());
  struct Prepared {
    LabelledExamples all;
    FloatMatrix prepared;
  };
  const Protected<Prepared> data = request.data.map([&](const LabelledExamples& all) {
    return Prepared{{{}, all.labels, {}}, request.frame.prepared(all.values)};
  });
  std::vector<double> parameters = layout.random_start(request.options.seed);
  const auto per_epoch = static_cast<int>(std::lround(1 / run.rate));
  NetworkPass pass(layout, parameters);
  double noise_of_weight = 0;
  for (int step = 0; step < run.steps; ++step) {
    const auto layers = curator.map_with_seed(data, [&](const Prepared& known, std::uint64_t seed) {
      std::vector<std::size_t> batch(static_cast<std::size_t>(
          std::max(1.0, std::round(run.rate * static_cast<double>(known.all.size())))));
      Random random(seed);
      for (std::size_t& example : batch) example = random.below(known.all.size());
      return clipped_by_layer(known.all, known.prepared, layout, parameters, pass, batch, run.clip);
    });
    const double length = run.step / (1 + step / per_epoch) / 2;
    noise_of_weight = length * 2 * run.clip * run.noise;
    for (int layer = 0; layer < layout.layers(); ++layer) {
      const std::size_t numbers = layout.start(layer + 1) - layout.start(layer);
      const auto noise = AdditiveNoise::gaussian(
          Sensitivity::l2(2 * run.clip, Unit::example, request.relation), run.noise, numbers);
      const Noisy gradient =
          curator.release(layers, noise, fmt::format("gradient of layer {}", layer + 1),
                          [&](const auto& all) { return all[static_cast<std::size_t>(layer)]; });
      for (std::size_t i = 0; i < numbers; ++i)
        parameters[layout.start(layer) + i] += length * gradient.values[i];
    }
    check_bounded(parameters);
  }
  return {.model = network_of(request, layout, parameters),
          .solver = "dpd",
          .remarks = {fmt::format("{} steps, sigma {:.4g} by {}.", run.steps, run.noise,
                                  name(request.options.accounting))},
          .noise_multiplier = run.noise,
          .dropout_alpha = median_dropout(parameters, noise_of_weight)};
}

}  // namespace

Method dpd_classifier() {
  std::vector<WorstCase> worst = worst_of_steps();
  // A batch has at least one of the two examples, whereas the noise is calibrated to the sampling rate.
  WorstCase batch = worst.back();
  batch.calibration = Calibration::published;
  batch.settings.set(setting::steps, 20).set(setting::sampling_rate, 0.01);
  worst.push_back(std::move(batch));
  return {
      .job = Job::classification,
      .name = "dpd",
      .title = "private gradient steps whose noise is read as Gaussian dropout",
      .source = "ermis2020, algorithm 3",
      .guarantee = "(epsilon, delta)-private for an example",
      .details =
          "Sound: clipped together over all layers, on Poisson samples, accounted together; the dropout rate "
          "alpha to which the noise amounts is reported. Published: batches of fixed size, clipped per "
          "layer, with the noise of appendix E by advanced composition (accounting ac) or zCDP (zcdp).",
      .protects = example_neighbours(),
      .settings = step_settings(dpd_steps()),
      .needs_delta = true,
      .sound = classify_by_dpd,
      .published = classify_as_published,
      .why_unproven =
          "batches of fixed size are accounted as Poisson samples, zCDP as if sampling amplified it, "
          "and gradients of batches rather than of examples are clipped",
      .no_refit = "each release is a gradient at the network that earlier ones made",
      .pairs = {.weight = 0.5},
      .worst_cases = std::move(worst)};
}

}  // namespace tulle
