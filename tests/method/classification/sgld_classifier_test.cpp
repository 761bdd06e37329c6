#include "method/classification/blobs.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

testing::ClassifierRun sgld_run(double epsilon) {
  testing::ClassifierRun run{"sgld"};
  run.terms.budget.epsilon = epsilon;
  run.settings.set(setting::steps, 100).set(setting::sampling_rate, 0.2).set(setting::learning_rate, 2);
  return run;
}

TEST(SgldClassifier, LearnsTwoClasses) {
  EXPECT_GT(sgld_run(8).accuracy(2000), 0.97);
}

TEST(SgldClassifier, LearnsNothingFromNoise) {
  EXPECT_LT(sgld_run(1e-4).accuracy(200), 0.97);
}

TEST(SgldClassifier, DrawsSamplesOfThePosterior) {
  const ClassificationOutcome outcome = sgld_run(8)(testing::blobs(500));
  ASSERT_EQ(outcome.samples.size(), 10u);
  EXPECT_NE(outcome.samples[0].layers[0].weights, outcome.samples[9].layers[0].weights);
  EXPECT_EQ(outcome.samples[9].layers[0].weights, outcome.model.layers[0].weights);
}

}  // namespace
}  // namespace tulle
