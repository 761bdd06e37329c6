#include "method/classification/blobs.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

testing::ClassifierRun best_run(double epsilon, std::optional<std::vector<int>> hidden = std::nullopt) {
  testing::ClassifierRun run{"best"};
  run.terms.budget.epsilon = epsilon;
  run.options.hidden = std::move(hidden);
  return run;
}

TEST(BestClassifier, IsMethodLogisticWhereExamplesAreNoImages) {
  for (const std::optional<std::vector<int>>& hidden :
       {std::optional<std::vector<int>>(), std::optional(std::vector{20})}) {
    testing::ClassifierRun best = best_run(1, hidden), logistic = best_run(1, hidden);
    logistic.method = "logistic";
    const LabelledExamples train = testing::blobs(200);
    EXPECT_EQ(best(train).model.probabilities(train.values),
              logistic(train).model.probabilities(train.values));
  }
}

TEST(BestClassifier, LearnsNothingFromNoise) {
  EXPECT_LT(best_run(1e-4).accuracy(100), 0.97);
}

// Left or right half of an image is dark.
TEST(BestClassifier, SeesImagesThroughPublicFeatures) {
  LabelledExamples images{FloatMatrix::Zero(400, 64), {}, {"left", "right"}, 8, 8};
  images.facts = FactsFrom::owner;
  Random random(4);
  for (Eigen::Index row = 0; row < 400; ++row) {
    images.labels.push_back(static_cast<int>(row % 2));
    for (int y = 0; y < 8; ++y)
      for (int x = 1; x < 4; ++x)
        images.values(row, y * 8 + x + 3 * static_cast<int>(row % 2)) =
            static_cast<float>(0.5 + 0.5 * random.uniform());
  }
  const ClassificationOutcome outcome = best_run(2)(images);
  EXPECT_EQ(outcome.model.features.height, 8);
  EXPECT_GT(score_classes(outcome.model.probabilities(images.values), images.labels).accuracy, 0.97);
}

TEST(BestClassifier, HasOneHiddenLayerAtMost) {
  EXPECT_THROW(best_run(1, std::vector{5, 5})(testing::blobs(20)), UsageError);
}

}  // namespace
}  // namespace tulle
