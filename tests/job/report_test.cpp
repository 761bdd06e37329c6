#include "job/some_job.hpp"

#include <tulle/job/report.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace tulle {
namespace {

using samples::private_job;
using samples::some_cells;

TEST(Report, TheListOfTheOwnersFieldsDoesNotTellWhetherThereWereCellsToTest) {
  const CompletionJob job = private_job();
  const Completion fit = job.run(some_cells());
  const auto with = report_of(job, {fit, 12, Scores{}, true}, false);
  const auto without = report_of(job, {fit, 12, {}, true}, false);
  EXPECT_EQ(with["owner_only"], without["owner_only"]);
  EXPECT_TRUE(without["test_rmse"].is_null());
}

TEST(Report, ListsWhatIsForTheOwner) {
  const CompletionJob job = private_job();
  const CompletionOutcome outcome{job.run(some_cells()), 12, Scores{5, 0.1, 0.2, 0.3}, true, 1.5, {"a note"}};
  const auto report = report_of(job, outcome, true);
  const std::set<std::string> owner = report["owner_only"]["fields"];
  EXPECT_EQ(owner, (std::set<std::string>{"train_cells", "test_cells", "test_rmse", "test_mae", "test_rse",
                                          "baseline_mean_rmse", "baseline_main_effects_rmse", "seconds",
                                          "owner_notes"}));
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
