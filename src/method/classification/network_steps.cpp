#include "network_steps.hpp"

#include "crafted.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>

#include <chrono>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

// Below this ratio the run makes a remark; nothing else depends on it. On DIGITS (method best, seed 1) a
// ratio of 19 gives an accuracy of 0.23, one of 37 gives 0.39; a guess has 0.1.
constexpr double kLeastSignal = 30;
// How far noise may move a parameter over all steps, as a standard deviation: chosen on held-out parts of the
// training examples of MNIST and DIGITS.
constexpr double kMovedByNoise = 0.25;

// Noise of this standard deviation in each of T steps adds up to sqrt(T) times as much, and momentum m makes
// it 1 / (1 - m) times longer.
double rate_for_noise(const StepSettings& settings, double stddev) {
  const double moved = std::sqrt(settings.steps) * stddev / (1 - settings.momentum);
  return std::min(settings.longest, kMovedByNoise / moved);
}

}  // namespace

StepSettings with_given(StepSettings settings, const Settings& given) {
  settings.steps = given.get(setting::steps).value_or(settings.steps);
  if (const auto rate = given.get(setting::sampling_rate)) settings.sampler = PoissonSampler(*rate);
  if (const auto rate = given.get(setting::learning_rate)) settings.learning_rate = *rate;
  settings.clip = given.get(setting::clip).value_or(settings.clip);
  settings.clip_quantile = given.get(setting::clip_quantile);
  return settings;
}

void check_bounded(std::span<const double> parameters) {
  constexpr double kMost = std::numeric_limits<float>::max();
  int bounded = 1;  // without a way out of the loop, which would keep it from being vectorised
#pragma omp parallel for schedule(static) reduction(& : bounded) if (parameters.size() >= kWorthWaiting / 16)
  for (std::size_t i = 0; i < parameters.size(); ++i) bounded &= std::abs(parameters[i]) <= kMost ? 1 : 0;
  if (!bounded) fail("the steps grow without bound; give a smaller learning rate");
}

NetworkSteps::NetworkSteps(const ClassificationRequest& request, Curator& curator, StepSettings settings,
                           double noise, double examples)
    : request_(request),
      curator_(curator),
      settings_(std::move(settings)),
      clipped_(settings_.sampler, noise, settings_.clip_quantile, Unit::example, request.relation),
      noise_(noise),
      examples_(examples) {
  const double stddev = clipped_.noise(settings_.clip, 1).deviation() / (clipped_.rate() * examples);
  if (!settings_.learning_rate) settings_.learning_rate = rate_for_noise(settings_, stddev);
}

std::vector<double> NetworkSteps::run(const Protected<std::unique_ptr<ClippedExamples>>& gradients,
                                      const NetworkLayout& layout, std::vector<double> parameters,
                                      const AfterStep& after) {
  const auto count = gradients.map([](const auto& all) { return std::uint64_t{all->size()}; });
  const auto began = std::chrono::steady_clock::now();
  const double drawn = clipped_.rate() * examples_;
  std::vector<double> velocity(parameters.size());
  for (int step = 0; step < settings_.steps; ++step) {
    const double clip = settings_.clip * clipped_.clip_factor();
    const Noisy sum = clipped_.release(curator_, gradients, count, clip, layout.size(), "sum of gradients",
                                       [&](const auto& all, std::span<const std::uint64_t> units) {
                                         return all->sum(parameters, units, clip);
                                       });
    clipped_.adapt_clip(sum, clip, examples_);
    const double rate = learning_rate() * settings_.schedule(step, settings_.steps);
    const double prior = settings_.prior ? 1 / examples_ : 0;
    const double square = chunked_sum(parameters.size(), [&](std::size_t begin, std::size_t end) {
      double of_chunk = 0;
      for (std::size_t i = begin; i < end; ++i) {
        velocity[i] = settings_.momentum * velocity[i] + sum.values[i] / drawn - prior * parameters[i];
        parameters[i] += rate * velocity[i];
        of_chunk += velocity[i] * velocity[i];
      }
      return of_chunk;
    });
    if (after) after(step + 1, parameters, sum.deviation / drawn);
    check_bounded(parameters);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
    history_.push_back({.number = step + 1,
                        .objective = rate * std::sqrt(square),
                        .change = rate * std::sqrt(square),
                        .seconds = elapsed.count(),
                        .limit = settings_.steps});
    if (request_.options.observer && !request_.options.observer(history_.back())) break;
  }
  return parameters;
}

std::vector<std::string> NetworkSteps::remarks(const std::string& also) const {
  std::vector<std::string> all = {
      fmt::format("{} steps of learning rate {:.3g} on Poisson samples at rate {:g}, noise {:.4g} times {}.",
                  settings_.steps, learning_rate(), clipped_.rate(), noise_,
                  settings_.clip_quantile ? "the sensitivity, at a clipping norm that follows the gradients"
                                          : "the clipping norm")};
  // No gradient is longer than C. Were all of them C long and in one direction, their sum over all T steps
  // would be T q N C, beside noise of standard deviation sqrt(T) z C.
  const double most = std::sqrt(settings_.steps) * clipped_.rate() * examples_ / noise_;
  if (most < kLeastSignal)
    all.push_back(
        fmt::format("The budget is too small to learn from so few examples: gradients of all steps add up to "
                    "{:.2g} times "
                    "their noise at most, and about {:g} are needed.",
                    most, kLeastSignal));
  if (!also.empty()) all.push_back(also);
  return all;
}

double count_examples(const ClassificationRequest& request, Curator& curator, double noise) {
  if (request.examples) return static_cast<double>(*request.examples);
  const auto one = Sensitivity::one_coordinate(1, Unit::example, request.relation);
  const Noisy count = curator.release(
      request.data, AdditiveNoise::gaussian(one, noise, 1), "number of examples",
      [](const LabelledExamples& all) { return std::vector{static_cast<double>(all.size())}; });
  return std::max(1.0, count.values[0]);
}

StepNoise plan_steps(const ClassificationRequest& request, Curator& curator, const StepSettings& settings) {
  const double for_count = request.examples ? 0 : kShareOfCount;
  std::vector<Stage> stages = {{.share = (1 - for_count) / settings.steps,
                                .count = static_cast<std::uint64_t>(settings.steps),
                                .sampling = settings.sampler.sampling()}};
  if (!request.examples) stages.push_back({.share = for_count});
  const std::vector<double> noise = curator.plan(stages);
  return {request.examples ? 0 : noise[1], noise[0]};
}

NetworkLayout layout_for(const ClassificationRequest& request, std::vector<int> otherwise) {
  std::vector<Eigen::Index> sizes = {request.frame.features.none() ? request.inputs
                                                                   : request.frame.features.size()};
  for (int units : request.options.hidden.value_or(otherwise)) sizes.push_back(units);
  sizes.push_back(static_cast<Eigen::Index>(request.frame.classes.size()));
  return NetworkLayout(std::move(sizes), request.options.activation);
}

Network network_of(const ClassificationRequest& request, const NetworkLayout& layout,
                   std::span<const double> parameters) {
  Network network = request.frame;
  network.activation = layout.activation();
  network.layers = layout.layers_of(parameters);
  return network;
}

std::vector<Protects> example_neighbours() {
  return {{Unit::example, Relation::add_remove}, {Unit::example, Relation::replace}};
}

std::vector<WorstCase> worst_of_steps() {
  const Settings settings =
      Settings().set(setting::steps, 2).set(setting::sampling_rate, 1).set(setting::clip, 0.5);
  std::vector<WorstCase> worst;
  for (const Relation relation : {Relation::add_remove, Relation::replace})
    worst.push_back(
        {.data = CraftedExamples{{Unit::example, relation}}, .delta = kCraftedDelta, .settings = settings});
  return worst;
}

std::vector<MethodSetting> step_settings(const StepSettings& otherwise) {
  return {takes(setting::steps, fmt::format("{}", otherwise.steps), {.least = 1}),
          takes(setting::sampling_rate, fmt::format("{:g}", otherwise.sampler.sampling().rate()),
                {.least = 1e-12, .most = 1}),  // with less no accountant finds the noise
          takes(setting::clip, fmt::format("{:g}", otherwise.clip), {.least = 1e-100, .most = 1e100}),
          takes(setting::clip_quantile, "none", {.above = 0, .below = 1}),
          takes(setting::learning_rate,
                otherwise.learning_rate ? fmt::format("{:g}", *otherwise.learning_rate)
                                        : "follows from the noise and the number of examples",
                {.above = 0, .most = 1e6})};
}

Protected<std::unique_ptr<ClippedExamples>> gradients_of(const ClassificationRequest& request,
                                                         const NetworkLayout& layout) {
  return request.data.map([&](const LabelledExamples& all) {
    return device_or_cpu(request.options.device)
        .clipped_examples(request.frame.prepared(all.values), all.labels, layout);
  });
}

}  // namespace tulle
