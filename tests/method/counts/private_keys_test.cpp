#include "counts/private_keys.hpp"

#include "method/counts/made_events.hpp"

#include <tulle/base/error.hpp>

#include <gmock/gmock.h>

namespace tulle {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

// Of the three rows one has many events, one has none and one has a single one.
SparseTensor three_rows() {
  return testing::events_of({3, 2}, {500, 400, 0, 0, 1, 0});
}

CountJob keyed_job(const Budget& budget, std::uint64_t seed, std::vector<int> modes = {0}) {
  CountJob job = testing::count_job("margins", budget, seed);
  job.how.private_keys = std::move(modes);
  return job;
}

TEST(PrivateKeys, AreThoseOfManyEvents) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const CountOutcome outcome = keyed_job({1, 1e-6}, seed).run(three_rows());
    ASSERT_EQ(outcome.keys.size(), 1u);
    EXPECT_EQ(outcome.keys[0].mode, 0);
    EXPECT_THAT(outcome.keys[0].positions, ElementsAre(0));
    EXPECT_EQ(outcome.model.shape(), (Shape{1, 2}));
    EXPECT_NEAR(outcome.model.cells.values()[0], 500, 100);
  }
}

// A row of one event is shown with probability delta, one of none never.
TEST(PrivateKeys, ThatOneEventBringsAreShownByDelta) {
  int shown = 0;
  constexpr int kRuns = 200;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const CountOutcome outcome = keyed_job({1, 0.5}, seed).run(three_rows());
    EXPECT_THAT(outcome.keys[0].positions, AllOf(Contains(0), Not(Contains(1))));
    shown += outcome.keys[0].positions.back() == 2 ? 1 : 0;
  }
  EXPECT_NEAR(shown, kRuns * 0.5, 6 * 7.1);  // 6 standard deviations: but for 2e-9
}

TEST(PrivateKeys, OfEveryModeHaveEqualShares) {
  const CountOutcome outcome = keyed_job({1, 1e-6}, 1, {0, 1}).run(three_rows());
  ASSERT_EQ(outcome.keys.size(), 2u);
  EXPECT_THAT(outcome.keys[1].positions, ElementsAre(0, 1));
  const Guarantee& guarantee = outcome.guarantee;
  EXPECT_LE(guarantee.used.epsilon, 1);
  EXPECT_GT(guarantee.used.epsilon, 0.999);
  EXPECT_EQ(guarantee.used.delta, 1e-6);
  EXPECT_EQ(guarantee.releases[0].event.mechanism(), guarantee.releases[1].event.mechanism());
  EXPECT_EQ(guarantee.releases[0].numbers, 1u) << "how many were shown, not how many there are";
  EXPECT_THAT(outcome.remarks, Contains(HasSubstr("Chose 1 positions of mode 1")));
}

TEST(PrivateKeys, MayBeNone) {
  const CountOutcome outcome = keyed_job({1, 1e-6}, 1).run(testing::events_of({3, 2}, {1, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(outcome.keys[0].positions.empty());
  EXPECT_EQ(outcome.model.shape(), (Shape{1, 2}));
  EXPECT_THAT(outcome.remarks, Contains(HasSubstr("one stands for none")));
}

// Twenty users with rows at one position, and one user with hundreds at another.
TEST(PrivateKeys, OfUsersAreThoseOfManyUsers) {
  SparseTensor log(Shape{21, 2, 3}, Unlisted::zero);
  for (Index user = 0; user < 20; ++user) log.append(std::array<Index, 3>{user, 0, user % 3}, 2);
  log.append(std::array<Index, 3>{20, 1, 0}, 500);
  CountJob job = keyed_job({8, 1e-6}, 1, {1});
  job.terms.unit = Unit::user;
  job.how.settings.set(setting::rows_per_user, 2);
  const CountOutcome outcome = job.run(log);
  EXPECT_THAT(outcome.keys[0].positions, ElementsAre(0));
  EXPECT_EQ(outcome.model.shape(), (Shape{1, 3}));
}

TEST(PrivateKeys, AreRefusedWithoutADeltaAndUnderReplace) {
  const auto run = [](const CountJob& job) { job.run(three_rows()); };
  EXPECT_THAT(
      [&] {
        run(keyed_job({1, 0}, 1));
      },
      ThrowsMessage<UsageError>(HasSubstr("need a delta above 0")));
  CountJob job = keyed_job({1, 1e-6}, 1);
  job.terms.relation = Relation::replace;
  EXPECT_THAT([&] { run(job); }, ThrowsMessage<UsageError>(HasSubstr("for relation add-remove")));
  EXPECT_THAT(
      [&] {
        run(keyed_job({1, 1e-6}, 1, {0, 0}));
      },
      ThrowsMessage<UsageError>(HasSubstr("each once")));
  EXPECT_THAT(
      [&] {
        run(keyed_job({1, 1e-6}, 1, {2}));
      },
      ThrowsMessage<UsageError>(HasSubstr("mode 3 cannot")));
}

TEST(PrivateKeys, EventsElsewhereDoNotCount) {
  const SparseTensor kept = at_keys(three_rows(), {{0, {0, 2}}});
  EXPECT_EQ(kept.shape(), (Shape{2, 2}));
  double sum = 0;
  for (std::size_t entry = 0; entry < kept.size(); ++entry) sum += kept.values()[entry];
  EXPECT_EQ(sum, 901);
  EXPECT_EQ(shape_at_keys({3, 2}, {{0, {}}}), (Shape{1, 2}));
}

}  // namespace
}  // namespace tulle
