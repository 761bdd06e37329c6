// Examples of two classes around two points, and runs of classifiers on them.
#pragma once

#include "solve/naive_device.hpp"

#include <tulle/base/random.hpp>
#include <tulle/data/class_scores.hpp>
#include <tulle/method/classification.hpp>

namespace tulle::testing {

inline LabelledExamples blobs(int count, std::uint64_t seed = 1, int features = 4) {
  Random random(seed);
  LabelledExamples all{FloatMatrix(count, features), {}, {"low", "high"}, 0, 0};
  all.facts = FactsFrom::owner;
  for (int row = 0; row < count; ++row) {
    const int label = static_cast<int>(random.below(2));
    all.labels.push_back(label);
    for (int j = 0; j < features; ++j)
      all.values(row, j) = static_cast<float>(0.35 + 0.3 * label + 0.1 * random.normal());
  }
  return all;
}

struct ClassifierRun {
  std::string method;
  Terms terms{.budget = {1, 1e-6}, .unit = Unit::example, .range = {0, 1}, .seed = 1};
  Settings settings;
  ClassificationOptions options{.hidden = std::vector{8}, .seed = 3, .device = device_under_test()};

  ClassificationOutcome operator()(LabelledExamples data) const {
    return classify(find_method(method, Job::classification), std::move(data), terms, settings, options);
  }

  // On other blobs than it was trained on.
  double accuracy(int count) const {
    const ClassificationOutcome outcome = (*this)(blobs(count));
    const LabelledExamples test = blobs(500, 9);
    return score_classes(mean_probabilities(outcome.model, outcome.samples, test.values), test.labels)
        .accuracy;
  }
};

// A few steps over all examples, for tests of what is promised.
inline ClassifierRun short_run(std::string method) {
  ClassifierRun run{std::move(method)};
  run.settings.set(setting::steps, 20).set(setting::sampling_rate, 1);
  return run;
}

}  // namespace tulle::testing
