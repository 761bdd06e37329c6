#include "solve/network/some_network.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/network/train_network.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Whether a point lies inside a circle: no plane tells that, a hidden layer does.
testing::SomeExamples circle(Eigen::Index count, std::uint64_t seed) {
  testing::SomeExamples some = testing::some_examples(count, 2, 2, seed);
  for (Eigen::Index row = 0; row < count; ++row)
    some.labels[static_cast<std::size_t>(row)] = some.values.row(row).squaredNorm() > 1.4f;
  return some;
}

double accuracy(const NetworkLayout& layout, const TrainingOptions& options) {
  const auto known = circle(600, 1), unseen = circle(400, 2);
  const TrainedNetwork trained = train_network(known.values, known.labels, layout, options);
  const Network model{layout.layers_of(trained.parameters), layout.activation(), 0, 1, {}, {"in", "out"}};
  const std::vector<int> found = most_probable(model.probabilities_of_prepared(unseen.values));
  double right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == unseen.labels[i];
  return right / 400;
}

TEST(TrainNetwork, LearnsWhatNeedsAHiddenLayer) {
  for (Activation activation : {Activation::relu, Activation::sigmoid, Activation::tanh})
    EXPECT_GT(accuracy(NetworkLayout({2, 30, 2}, activation), {.epochs = 60, .learning_rate = 0.1}), 0.93)
        << name(activation);
  EXPECT_LT(accuracy(NetworkLayout({2, 2}), {.epochs = 30}), 0.8);
}

TEST(TrainNetwork, LearnsUnderDropout) {
  const NetworkLayout layout({2, 60, 2});
  for (bool gaussian : {false, true})
    EXPECT_GT(
        accuracy(layout,
                 {.epochs = 60, .learning_rate = 0.1, .dropout_rate = 0.2, .gaussian_dropout = gaussian}),
        0.9);
  EXPECT_THROW(accuracy(layout, {.dropout_rate = 1}), UsageError);
}

TEST(TrainNetwork, ReportsEveryEpochAndStopsWhenTold) {
  const auto some = circle(50, 1);
  TrainingOptions options{.epochs = 10};
  options.observer = [](const Iteration& iteration) { return iteration.number < 3; };
  EXPECT_EQ(train_network(some.values, some.labels, NetworkLayout({2, 2}), options).history.size(), 3u);
}

}  // namespace
}  // namespace tulle
