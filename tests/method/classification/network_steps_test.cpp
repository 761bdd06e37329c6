#include "classification/network_steps.hpp"

#include "method/classification/blobs.hpp"
#include "solve/naive_device.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::blobs;

ClassificationRequest request_of(LabelledExamples data, Relation relation) {
  Network frame{.layers = {}, .low = 0, .high = 1, .features = {}, .classes = data.classes};
  const auto examples =
      relation == Relation::replace ? std::optional<std::uint64_t>(data.size()) : std::nullopt;
  return {.frame = std::move(frame),
          .inputs = data.values.cols(),
          .examples = examples,
          .relation = relation,
          .budget = {1, 1e-6},
          .settings = {},
          .options = {.hidden = std::vector<int>(), .seed = 1, .device = testing::device_under_test()},
          .data = Protected<LabelledExamples>(std::move(data))};
}

StepSettings full_steps(int steps, double momentum) {
  return {.steps = steps,
          .sampler = PoissonSampler(1),
          .learning_rate = 0.5,
          .clip = 4,
          .momentum = momentum,
          .prior = false};
}

// With hardly any noise: 0.002 times the clip for one step.
Curator generous_curator() {
  return Curator::with_budget({1e5, 1e-6}, Unit::example, Relation::replace, RandomBits::seeded(1));
}

// A step of rate r goes r times the mean gradient down, and noise of 0.002 x 4 x r / 30 beside it.
TEST(NetworkSteps, GoDownTheMeanGradient) {
  const ClassificationRequest request = request_of(blobs(30), Relation::replace);
  Curator curator = generous_curator();
  const NetworkLayout layout = layout_for(request, {});
  NetworkSteps steps(request, curator, full_steps(1, 0), plan_steps(request, curator, full_steps(1, 0)).step,
                     30);
  const std::vector<double> start(layout.size());
  const std::vector<double> end = steps.run(gradients_of(request, layout), layout, start);
  std::vector<std::uint64_t> all(30);
  for (std::size_t i = 0; i < 30; ++i) all[i] = i;
  const ClippedSum sum =
      ExampleGradients(request.frame.prepared(blobs(30).values), blobs(30).labels, layout).sum(start, all, 4);
  for (std::size_t i = 0; i < end.size(); ++i) EXPECT_NEAR(end[i], 0.5 * sum.numbers[i] / 30, 2e-3);
  EXPECT_EQ(steps.history().size(), 1u);
}

TEST(NetworkSteps, AreTakenFurtherByMomentum) {
  const ClassificationRequest request = request_of(blobs(30), Relation::replace);
  const NetworkLayout layout = layout_for(request, {});
  const auto distance = [&](double momentum) {
    Curator curator = generous_curator();
    const StepSettings settings = full_steps(5, momentum);
    NetworkSteps steps(request, curator, settings, plan_steps(request, curator, settings).step, 30);
    const auto end = steps.run(gradients_of(request, layout), layout, std::vector<double>(layout.size()));
    double square = 0;
    for (double each : end) square += each * each;
    return square;
  };
  EXPECT_GT(distance(0.9), 2 * distance(0));
}

// Noise moves a parameter by 0.25 in all: rate sqrt(T) z C / (q N (1 - m)), up to the rounding of noise to a
// grid. Next to no noise allows the longest rate, and what is given stays.
TEST(NetworkSteps, TheirLengthFollowsFromTheNoise) {
  const ClassificationRequest request = request_of(blobs(30), Relation::replace);
  Curator curator = generous_curator();
  StepSettings settings = full_steps(25, 0.5);
  EXPECT_EQ(NetworkSteps(request, curator, settings, 10, 30).learning_rate(), 0.5);
  settings.learning_rate.reset();
  for (double noise : {10.0, 40.0})
    EXPECT_NEAR(NetworkSteps(request, curator, settings, noise, 30).learning_rate(),
                0.25 * 30 * 0.5 / (5 * noise * 4), 1e-6);
  settings.longest = 3;
  EXPECT_EQ(NetworkSteps(request, curator, settings, 1e-6, 30).learning_rate(), 3);
}

TEST(NetworkSteps, StopWhenTheObserverSaysSo) {
  ClassificationRequest request = request_of(blobs(10), Relation::replace);
  request.options.observer = [](const Iteration& step) { return step.number < 2; };
  Curator curator = generous_curator();
  const NetworkLayout layout = layout_for(request, {});
  NetworkSteps steps(request, curator, full_steps(9, 0), plan_steps(request, curator, full_steps(9, 0)).step,
                     10);
  steps.run(gradients_of(request, layout), layout, std::vector<double>(layout.size()));
  EXPECT_EQ(steps.history().size(), 2u);
}

TEST(NetworkSteps, CountExamplesWhereTheirNumberIsPrivate) {
  Curator plain = Curator::without_privacy();
  EXPECT_EQ(count_examples(request_of(blobs(7), Relation::add_remove), plain, 1), 7);
  EXPECT_EQ(count_examples(request_of(blobs(7), Relation::replace), plain, 1), 7);
  const ClassificationRequest request = request_of(blobs(7), Relation::add_remove);
  Curator curator =
      Curator::with_budget({1, 1e-6}, Unit::example, Relation::add_remove, RandomBits::seeded(1));
  const StepNoise noise = plan_steps(request, curator, full_steps(10, 0));
  EXPECT_GT(noise.count, noise.step / 2);
  EXPECT_NE(count_examples(request, curator, noise.count), 7);
}

// With one step over all examples the noise is the Gaussian mechanism's: 3.730632 for (1, 1e-5).
TEST(NetworkSteps, CostWhatTheGaussianMechanismCosts) {
  const ClassificationRequest request = request_of(blobs(7), Relation::replace);
  Curator curator =
      Curator::with_budget({1, 1e-5}, Unit::example, Relation::add_remove, RandomBits::seeded(1));
  EXPECT_NEAR(plan_steps(request, curator, full_steps(1, 0)).step, 3.730632, 1e-4);
}

}  // namespace
}  // namespace tulle
