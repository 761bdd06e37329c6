#include "method/counts/made_events.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/measurement.hpp>

#include <gmock/gmock.h>

namespace tulle {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

CountOutcome count(const CountJob& job, const std::vector<float>& counts) {
  return job.run(testing::events_of({2, 3}, counts));
}

TEST(CountEvents, WithoutNoiseToSpeakOfTheyAreTheCounts) {
  for (const Method& method : methods(Job::counts)) {
    const CountOutcome outcome =
        count(testing::count_job(method.name.c_str(), {1000, 0}, 1), {0, 1, 2, 3, 4, 1000});
    for (const auto& [cell, expected] : {std::pair{0, 0.0}, {1, 1.0}, {3, 3.0}, {5, 1000.0}})
      EXPECT_NEAR(testing::cells_of(outcome.model)[static_cast<std::size_t>(cell)], expected, 1e-3)
          << method.name;
  }
}

TEST(CountEvents, AllOfTheBudgetIsUsedAndNoMore) {
  for (const Method& method : methods(Job::counts))
    for (const double delta : {0.0, 1e-6})
      for (const Relation relation : {Relation::add_remove, Relation::replace}) {
        const Guarantee guarantee =
            count(testing::count_job(method.name.c_str(), {1, delta}, 2, relation), {5, 0, 0, 2, 9, 0})
                .guarantee;
        EXPECT_LE(guarantee.used.epsilon, 1) << method.name;
        EXPECT_GT(guarantee.used.epsilon, 0.999) << method.name;
        EXPECT_EQ(guarantee.unit, Unit::event);
        EXPECT_EQ(guarantee.relation, relation);
      }
}

TEST(CountEvents, TheGuaranteeSaysWhatIsPublic) {
  const std::vector<float> counts(6, 1);
  EXPECT_THAT(sentence(count(testing::count_job("histogram", {1, 0}, 1), counts).guarantee),
              Not(HasSubstr("how many events")));
  EXPECT_THAT(
      sentence(count(testing::count_job("histogram", {1, 0}, 1, Relation::replace), counts).guarantee),
      HasSubstr("public: the shape of the tensor, how many events there are"));
}

// Two users with rows in all cells of a 2x3 tensor.
CountJob job_of_users(const Budget& budget, int rows) {
  CountJob job = testing::count_job("histogram", budget, 1);
  job.terms.unit = Unit::user;
  job.how.settings.set(setting::rows_per_user, rows);
  return job;
}

SparseTensor logs_of_two() {
  return testing::events_of({2, 2, 3}, std::vector<float>(12, 2));
}

TEST(CountEvents, AUserHasAsManyRowsAsIsStated) {
  const CountOutcome all = job_of_users({1000, 0}, 12).run(logs_of_two());
  EXPECT_EQ(all.model.cells.shape(), (Shape{2, 3}));
  for (const double count : all.model.cells.values()) EXPECT_NEAR(count, 4, 1e-3);
  const CountOutcome few = job_of_users({1000, 0}, 5).run(logs_of_two());
  EXPECT_NEAR(few.model.sum(Block(2)).mean, 10, 1e-2);
}

TEST(CountEvents, TheGuaranteeOfUsersSaysWhoAndHowMuch) {
  CountJob job = job_of_users({1, 0}, 4);
  job.how.settings.set(setting::rows_per_cell, 2);
  const CountOutcome outcome = job.run(logs_of_two());
  EXPECT_THAT(
      sentence(outcome.guarantee),
      HasSubstr("any one user of mode mode1 under add-remove; public: the sizes of modes 2, 3, how many "
                "rows of a user count (4 at most, 2 in one cell)"));
  EXPECT_EQ(outcome.measured->unit, Unit::user);
  job.terms.scope.mode = "rider";
  EXPECT_EQ(job.run(logs_of_two()).guarantee.mode, "rider");
  EXPECT_EQ(refit_counts(*outcome.measured).model.cells, outcome.model.cells);
}

// Each of 300 users has a row in each of 6 cells; 8 is the least power of 2 under which all of them count.
TEST(CountEvents, HowManyRowsCountIsChosenByAPilot) {
  const SparseTensor log = testing::events_of({300, 2, 3}, std::vector<float>(1800, 1));
  for (const Method& method : methods(Job::counts)) {
    CountJob job = testing::count_job(method.name.c_str(), {10, 1e-6}, 1);
    job.terms.unit = Unit::user;
    const CountOutcome outcome = job.run(log);
    EXPECT_EQ(outcome.rows->per_user, 8u);
    EXPECT_NEAR(outcome.model.sum(Block(2)).mean, 1800, 100);
    const Guarantee& guarantee = outcome.guarantee;
    EXPECT_EQ(guarantee.releases[0].what, "users by their number of rows");
    EXPECT_EQ(guarantee.releases[0].sensitivity->value(), 1);
    EXPECT_EQ(guarantee.releases[1].sensitivity->value(), 8);
    EXPECT_LE(guarantee.used.epsilon, 10);
    EXPECT_GT(guarantee.used.epsilon, 9.99);
    EXPECT_THAT(sentence(guarantee), HasSubstr("5 % of epsilon chooses how many rows of a user count: 8"));
    EXPECT_THAT(outcome.remarks, Contains(HasSubstr("8 rows count at most, 8 in one cell")));
    const CountOutcome again = refit_counts(*outcome.measured);
    EXPECT_EQ(testing::cells_of(again.model), testing::cells_of(outcome.model));
    EXPECT_EQ(again.remarks, outcome.remarks);
  }
}

TEST(CountEvents, ALimitOfACellIsNotChosen) {
  CountJob job = testing::count_job("margins", {100, 0}, 1);
  job.terms.unit = Unit::user;
  job.how.settings.set(setting::rows_per_cell, 1);
  const CountOutcome outcome = job.run(testing::events_of({300, 2, 3}, std::vector<float>(1800, 5)));
  EXPECT_EQ(outcome.rows->per_user, 8u);
  EXPECT_EQ(outcome.rows->per_cell, 1u);
  EXPECT_NEAR(outcome.model.sum(Block(2)).mean, 1800, 20);
}

TEST(CountEvents, KeysOfUsersNeedALimitThatIsStated) {
  CountJob job = testing::count_job("margins", {1, 1e-6}, 1);
  job.terms.unit = Unit::user;
  job.how.private_keys = {1};
  EXPECT_THAT([&] { job.run(logs_of_two()); }, ThrowsMessage<UsageError>(HasSubstr("rows-per-user M")));
}

TEST(CountEvents, UsersAreRefusedUnderReplaceOrWithoutRows) {
  CountJob job = job_of_users({1, 0}, 4);
  const auto run = [&] { job.run(logs_of_two()); };
  job.terms.relation = Relation::replace;
  EXPECT_THAT(run, ThrowsMessage<UsageError>(HasSubstr("does not protect unit user under replace")));
  job = job_of_users({1, 0}, 4);
  job.terms.unit = Unit::event;
  EXPECT_THAT(run, ThrowsMessage<UsageError>(HasSubstr("is for unit user")));
  job = job_of_users({1, 0}, 0);
  EXPECT_THAT(run, ThrowsMessage<UsageError>(HasSubstr("at least 1")));
}

TEST(CountEvents, OnlyWholeNumbersOfEventsCount) {
  const CountJob job = testing::count_job("histogram", {1, 0}, 1);
  for (const float wrong : {-1.0f, 0.5f, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_THAT(
        [&] {
          count(job, {0, 0, wrong, 0, 0, 0});
        },
        ThrowsMessage<Error>(HasSubstr("no number of events")));
}

// Beyond 2^24 float32 does not have every whole number, and one event more could change a value by 2.
TEST(CountEvents, MoreEventsThanACellCountsAreAsMany) {
  const CountJob job = testing::count_job("histogram", {1000, 0}, 1);
  EXPECT_EQ(count(job, {0x1p30f, 0, 0, 0, 0, 0}).model.cells,
            count(job, {0x1p24f, 0, 0, 0, 0, 0}).model.cells);
}

TEST(CountEvents, OtherUnitsAndHugeShapesAreRefused) {
  CountJob job = testing::count_job("histogram", {1, 0}, 1);
  EXPECT_THAT(
      [&] {
        job.run(SparseTensor(Shape{100'000, 100'000}, Unlisted::zero));
      },
      ThrowsMessage<UsageError>(HasSubstr("take method sparse")));
  EXPECT_THAT(
      [] {
        testing::count_job("sparse", {1, 0}, 1)
            .run(SparseTensor(Shape{100'000'000, 100'000'000}, Unlisted::zero));
      },
      ThrowsMessage<UsageError>(HasSubstr("can be counted")));
  job.terms.unit = Unit::entry;
  EXPECT_THAT([&] { count(job, std::vector<float>(6)); },
              ThrowsMessage<UsageError>(HasSubstr("does not protect unit entry")));
}

TEST(CountEvents, ARefitIsWhatTheRunMade) {
  for (const Method& method : methods(Job::counts)) {
    const CountOutcome outcome =
        count(testing::count_job(method.name.c_str(), {1, 0}, 3), {5, 0, 0, 2, 9, 0});
    const CountOutcome again = refit_counts(*outcome.measured);
    EXPECT_EQ(testing::cells_of(again.model), testing::cells_of(outcome.model));
    EXPECT_EQ(again.model.variances, outcome.model.variances);
    EXPECT_EQ(again.remarks, outcome.remarks);
  }
}

}  // namespace
}  // namespace tulle
