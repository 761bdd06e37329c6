#include "method/classification/blobs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

testing::ClassifierRun dpd_run(double epsilon) {
  testing::ClassifierRun run{"dpd"};
  run.terms.budget.epsilon = epsilon;
  run.settings.set(setting::steps, 100).set(setting::sampling_rate, 0.2).set(setting::learning_rate, 2);
  return run;
}

TEST(DpdClassifier, LearnsTwoClasses) {
  EXPECT_GT(dpd_run(8).accuracy(2000), 0.97);
}

TEST(DpdClassifier, LearnsNothingFromNoise) {
  EXPECT_LT(dpd_run(1e-4).accuracy(200), 0.97);
}

TEST(DpdClassifier, SaysTheDropoutThatItsNoiseIs) {
  EXPECT_NE(dpd_run(8)(testing::blobs(500)).remarks.back().find("alpha"), std::string::npos);
}

// More noise is more dropout, whichever form of the method adds it; after short steps weights are about where
// they began.
TEST(DpdClassifier, ReportsMoreDropoutForLessEpsilon) {
  for (Calibration calibration : {Calibration::sound, Calibration::published}) {
    const auto outcome = [&](double epsilon) {
      testing::ClassifierRun run = dpd_run(epsilon);
      run.terms.calibration = calibration;
      run.settings.set(setting::learning_rate, 1e-4);
      return run(testing::blobs(500));
    };
    EXPECT_GT(*outcome(0.1).noise_multiplier, *outcome(8).noise_multiplier);
    EXPECT_GT(*outcome(0.1).dropout_alpha, *outcome(8).dropout_alpha);
  }
}

// As published a run claims the paper's epsilon and proves nothing. Noise of standard deviation 2 G sigma, a
// release per layer and step.
TEST(DpdClassifier, RunsAsPublished) {
  testing::ClassifierRun run{"dpd"};
  run.terms.calibration = Calibration::published;
  run.settings.set(setting::steps, 10).set(setting::sampling_rate, 0.1).set(setting::clip, 3);
  for (PublishedAccounting accounting :
       {PublishedAccounting::advanced_composition, PublishedAccounting::zcdp}) {
    run.options.accounting = accounting;
    const Guarantee guarantee = run(testing::blobs(100)).guarantee;
    EXPECT_EQ(guarantee.status, Guarantee::Status::claimed);
    EXPECT_EQ(guarantee.releases.size(), 20u);
    EXPECT_EQ(guarantee.releases[0].sensitivity->value(), 6);
  }
}

// The seed of the fit is in every report, and the claim is for batches that nobody knows. One step on one
// example: its gradient, of length 3 times the step of 0.05, turns with the label, and its noise is a tenth
// of that. That 40 runs take examples of one class alone has a probability of 1e-12.
TEST(DpdClassifier, BatchesAsPublishedDoNotFollowFromTheSeedOfTheFit) {
  testing::ClassifierRun run = dpd_run(1e4);
  run.terms.calibration = Calibration::published;
  run.terms.seed.reset();
  run.settings.set(setting::steps, 1).set(setting::sampling_rate, 0.002).set(setting::learning_rate, 0.1);
  const LabelledExamples data = testing::blobs(500);
  const auto weights = [&] { return run(data).model.layers.back().weights; };
  const FloatMatrix first = weights();
  float furthest = 0;
  for (int i = 1; i < 40; ++i) furthest = std::max(furthest, (weights() - first).norm());
  EXPECT_GT(furthest, 0.1f);
}

}  // namespace
}  // namespace tulle
