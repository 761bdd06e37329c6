#include "method/topics/samples.hpp"

#include <gmock/gmock.h>

namespace tulle {
namespace {

using namespace testing;

using ::testing::HasSubstr;

Guarantee guarantee_of(const Budget& budget) {
  TopicRun run{.method = "avn"};
  run.terms.budget = budget;
  return run(made_up(true_topics(6, 2), 1000, 3, 1)).guarantee;
}

TEST(Avn, IsPureWithoutADelta) {
  const Guarantee guarantee = guarantee_of({1, 0});
  EXPECT_EQ(guarantee.used.delta, 0);
  EXPECT_NEAR(guarantee.used.epsilon, 1, 1e-8);
  ASSERT_EQ(guarantee.releases.size(), 2u);
  EXPECT_EQ(guarantee.releases[0].noise, guarantee.releases[1].noise);
}

TEST(Avn, WithADeltaTheSecondMomentHasGaussianNoise) {
  const Guarantee guarantee = guarantee_of({1, 1e-6});
  EXPECT_EQ(guarantee.releases.at(0).noise, "Gaussian");
  EXPECT_NE(guarantee.releases.at(1).noise, "Gaussian");
}

TEST(Avn, AsPublishedTheNoiseIsThatOfThePaper) {
  TopicRun run{.method = "avn"};
  run.terms = {.budget = {1, 0.01}, .unit = Unit::document, .calibration = Calibration::published, .seed = 1};
  const TopicOutcome outcome = run(made_up(true_topics(10, 3), 100000, 3, 7));
  EXPECT_NEAR(outcome.guarantee.releases[1].deviation / 1e5, 4.20476e-4, 1e-8);  // mechanisms 3.2
  run.terms.budget.delta = 0;
  EXPECT_THAT(run.refusal(made_up(true_topics(10, 3), 100, 3, 7)), HasSubstr("needs a delta"));
}

}  // namespace
}  // namespace tulle
