#include "method/classification/blobs.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

testing::ClassifierRun sgd_run(double epsilon) {
  testing::ClassifierRun run{"sgd"};
  run.terms.budget.epsilon = epsilon;
  run.settings.set(setting::steps, 100).set(setting::sampling_rate, 0.2).set(setting::learning_rate, 2);
  return run;
}

TEST(SgdClassifier, LearnsTwoClasses) {
  EXPECT_GT(sgd_run(8).accuracy(2000), 0.97);
}

TEST(SgdClassifier, LearnsNothingFromNoise) {
  EXPECT_LT(sgd_run(1e-4).accuracy(200), 0.97);
}

}  // namespace
}  // namespace tulle
