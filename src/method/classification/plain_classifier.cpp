// A network without privacy: stochastic gradient descent with momentum, and dropout where it is asked for.
#include "methods.hpp"
#include "network_steps.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/network/train_network.hpp>

#include <algorithm>

namespace tulle {
namespace {

// Refuses a single class. A private run cannot: which classes have examples is private.
void check_several_classes(const LabelledExamples& data) {
  const int first = data.labels.front();
  if (std::ranges::all_of(data.labels, [&](int label) { return label == first; }))
    fail("all examples are of class {}: there is nothing to tell apart; give examples of two classes or more",
         data.classes[static_cast<std::size_t>(first)]);
}

ClassificationOutcome classify_plainly(const ClassificationRequest& request, Curator&) {
  const NetworkLayout layout = layout_for(request, {1000});
  const ClassificationOptions& options = request.options;
  TrainingOptions training;
  training.epochs = request.settings.get(setting::steps).value_or(training.epochs);
  training.learning_rate = request.settings.get(setting::learning_rate).value_or(training.learning_rate);
  training.seed = options.seed;
  training.observer = options.observer;
  if (options.dropout != Dropout::none) {
    training.dropout_rate = options.dropout_rate;
    training.gaussian_dropout = options.dropout == Dropout::gaussian;
  }
  const LabelledExamples& data = open_for_the_data_owner(request.data);
  check_several_classes(data);
  TrainedNetwork trained = train_network(request.frame.prepared(data.values), data.labels, layout, training);
  check_bounded(trained.parameters);
  return {.model = network_of(request, layout, trained.parameters),
          .solver = "sgd",
          .history = std::move(trained.history)};
}

}  // namespace

Method plain_classifier() {
  const TrainingOptions otherwise;
  return {.job = Job::classification,
          .name = "plain",
          .title = "a network without privacy",
          .source = "ermis2020, chapter 8 (NP)",
          .guarantee = "none",
          .details =
              "Stochastic gradient descent with momentum, a N(0, I) prior, and optional binary or Gaussian "
              "dropout. Steps are passes over the examples.",
          .settings = {takes(setting::steps, fmt::format("{}", otherwise.epochs), {.least = 1}),
                       takes(setting::learning_rate, fmt::format("{:g}", otherwise.learning_rate),
                             {.above = 0, .most = 1e6})},
          .sound = classify_plainly};
}

}  // namespace tulle
