#include "method/topics/samples.hpp"

#include <gmock/gmock.h>

namespace tulle {
namespace {

using namespace testing;

using ::testing::HasSubstr;

// 3 topics, 2 starts of 8 steps and an eigenvalue each, after the counts of pairs.
TEST(Power, EveryStepIsARelease) {
  TopicRun run{.method = "power"};
  run.terms.budget = {1, 1e-6};
  const Guarantee guarantee = run(made_up(true_topics(6, 3), 1000, 3, 1)).guarantee;
  std::uint64_t releases = 0;
  for (const Record& record : guarantee.releases) releases += record.event.count();
  EXPECT_EQ(releases, 1u + 3 * 2 * (8 + 1));
  EXPECT_LE(guarantee.used.epsilon, 1 + 1e-9);
}

TEST(Power, FindsTopicsWhereNoiseIsSmall) {
  const Matrix truth = true_topics(8, 3);
  TopicRun run{.method = "power"};
  run.terms.budget = {1000, 1e-6};
  EXPECT_LT(error_of(run(made_up(truth, 20000, 3, 1)), truth), 0.1);
}

TEST(Power, AsPublishedItRunsForWordsWithADelta) {
  TopicRun run{.method = "power"};
  run.terms = {.budget = {1, 0.01}, .unit = Unit::document, .calibration = Calibration::published, .seed = 1};
  const TopicOutcome outcome = run(made_up(true_topics(10, 3), 10000, 3, 7));
  EXPECT_TRUE(outcome.model.topics.allFinite());
  EXPECT_EQ(outcome.guarantee.status, Guarantee::Status::claimed);
  EXPECT_EQ(outcome.second_moment.rows(), 10);
  run.terms.budget.delta = 0;
  EXPECT_THAT(run.refusal(made_up(true_topics(10, 3), 100, 3, 7)), HasSubstr("needs a delta"));
}

}  // namespace
}  // namespace tulle
