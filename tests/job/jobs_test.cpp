#include <tulle/base/error.hpp>
#include <tulle/job/report.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace tulle {
namespace {

SparseTensor some_cells() {
  SparseTensor cells(Shape{4, 3, 2}, Unlisted::missing);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j)
      cells.append(std::array<Index, 3>{i, j, (i + j) % 2}, static_cast<float>(i + j) / 6);
  return cells;
}

CompletionJob private_job() {
  return {.method = "input",
          .terms = {.budget = {2, 0}, .range = {0, 1}, .seed = 3},
          .fit = {.ranks = {1}, .max_iterations = 3, .seed = 1}};
}

TEST(CompletionJob, TheAuditorsRunIsTheCommandsRun) {
  const CompletionJob job = private_job();
  Curator curator = job.open(RandomBits::seeded(3));
  const Completion audited = job.run(some_cells(), curator);
  const Completion shipped = job.run(some_cells());
  EXPECT_EQ(reconstruct(audited.model), reconstruct(shipped.model));
  EXPECT_EQ(to_json(audited.guarantee), to_json(shipped.guarantee));
}

// A guarantee that is proven must not be given for a form that proves nothing.
TEST(CompletionJob, TheCuratorIsForTheFormThatRuns) {
  CompletionJob job = private_job();
  Curator sound = job.open(RandomBits::seeded(3));
  job.terms.calibration = Calibration::published;
  EXPECT_THROW(job.run(some_cells(), sound), UsageError);
  Curator published = job.open(RandomBits::seeded(3));
  job.terms.calibration = Calibration::sound;
  EXPECT_THROW(job.run(some_cells(), published), UsageError);
}

TEST(Report, TheListOfTheOwnersFieldsDoesNotTellWhetherThereWereCellsToTest) {
  const CompletionJob job = private_job();
  const Completion fit = job.run(some_cells());
  const auto with = report_of(job, {fit, 12, Scores{}, true}, false);
  const auto without = report_of(job, {fit, 12, {}, true}, false);
  EXPECT_EQ(with["owner_only"], without["owner_only"]);
  EXPECT_TRUE(without["test_rmse"].is_null());
}

TEST(CompletionJob, AsksForPaymentBeforeTheFirstRelease) {
  int asked = 0;
  const auto pay = [&](const Curator&) {
    ++asked;
    fail("no money");
  };
  EXPECT_THROW(private_job().run(some_cells(), pay), Error);
  EXPECT_EQ(asked, 1);
}

TEST(CompletionJob, APrivateOneTakesNoValidationData) {
  const SparseTensor cells = some_cells();
  EXPECT_THROW(private_job().run(cells, {}, &cells), UsageError);
}

TEST(Report, ListsWhatIsForTheOwner) {
  const CompletionJob job = private_job();
  const CompletionOutcome outcome{job.run(some_cells()), 12, Scores{5, 0.1, 0.2, 0.3}, true, 1.5, {"a note"}};
  const auto report = report_of(job, outcome, true);
  const std::set<std::string> owner = report["owner_only"]["fields"];
  EXPECT_EQ(owner, (std::set<std::string>{"train_cells", "test_cells", "test_rmse", "test_mae", "test_rse",
                                          "seconds", "owner_notes"}));
  EXPECT_EQ(report["guarantee"]["epsilon"], 2);
  EXPECT_FALSE(report["history"].empty());
  EXPECT_FALSE(report["history"][0].contains("seconds"));
}

TEST(Report, OfAPlainRunPromisesNothing) {
  const CompletionJob job{.method = "plain", .fit = {.ranks = {1}, .max_iterations = 3, .seed = 1}};
  const auto report = report_of(job, {job.run(some_cells()), 12}, false);
  EXPECT_TRUE(report["guarantee"].is_null());
  EXPECT_FALSE(report.contains("owner_only"));
}

}  // namespace
}  // namespace tulle
