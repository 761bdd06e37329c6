#include "method/classification/blobs.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

testing::ClassifierRun logistic_run(double epsilon, std::optional<std::vector<int>> hidden = std::nullopt) {
  testing::ClassifierRun run{"logistic"};
  run.terms.budget.epsilon = epsilon;
  run.options.hidden = std::move(hidden);
  return run;
}

double accuracy(const testing::ClassifierRun& run, const LabelledExamples& train,
                const LabelledExamples& test) {
  return score_classes(run(train).model.probabilities(test.values), test.labels).accuracy;
}

// The likeliest class of blobs is wrong for 0.1 % of them: 0.15 is 1.5 standard deviations of 4 features.
TEST(LogisticClassifier, LearnsTwoClassesWithAndWithoutRandomUnits) {
  for (Relation relation : {Relation::add_remove, Relation::replace}) {
    testing::ClassifierRun linear = logistic_run(1), random = logistic_run(2, std::vector{50});
    linear.terms.relation = random.terms.relation = relation;
    EXPECT_GT(linear.accuracy(1000), 0.98);
    EXPECT_GT(random.accuracy(1000), 0.97);
  }
}

LabelledExamples narrow(LabelledExamples all) {
  all.values = (all.values.array() - 0.5f) * 0.1f + 0.8f;
  return all;
}

// A tenth of the spread is a tenth of the signal in the sums of features, which are standardised by it.
TEST(LogisticClassifier, LearnsFromFeaturesThatFillASmallPartOfTheRange) {
  EXPECT_GT(accuracy(logistic_run(1), narrow(testing::blobs(2000)), narrow(testing::blobs(500, 9))), 0.97);
}

// Of classes with shares 0.9 and 0.1 that cannot be told apart.
TEST(LogisticClassifier, FallsBackToTheLargestClass) {
  LabelledExamples noise = testing::blobs(2000);
  for (std::size_t i = 0; i < noise.size(); ++i) noise.labels[i] = i % 10 == 0 ? 1 : 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    testing::ClassifierRun run = logistic_run(0.1);
    run.terms.seed = seed;
    EXPECT_GT(accuracy(run, noise, noise), 0.88);
  }
}

TEST(LogisticClassifier, HardlyDependsOnTheSeedOfTheNoise) {
  const LabelledExamples train = testing::blobs(500), test = testing::blobs(2000, 9);
  double least = 1, most = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    testing::ClassifierRun run = logistic_run(0.5);
    run.terms.seed = seed;
    const double found = accuracy(run, train, test);
    least = std::min(least, found);
    most = std::max(most, found);
  }
  EXPECT_LT(most - least, 0.05);
}

TEST(LogisticClassifier, MayBeStoppedBeforeItsMeanOfSteps) {
  testing::ClassifierRun run = logistic_run(1);
  run.options.observer = [](const Iteration& step) { return step.number < 3; };
  const ClassificationOutcome outcome = run(testing::blobs(100));
  EXPECT_EQ(outcome.history.size(), 3u);
  EXPECT_EQ(outcome.model.layers.size(), 1u);
}

TEST(LogisticClassifier, HasOneHiddenLayerAtMost) {
  EXPECT_THROW(logistic_run(1, std::vector{5, 5})(testing::blobs(20)), UsageError);
}

}  // namespace
}  // namespace tulle
