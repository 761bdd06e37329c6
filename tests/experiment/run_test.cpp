#include "experiment/sample.hpp"

#include <tulle/experiment/run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

namespace tulle {
namespace {

using MakeRuns = ExperimentFiles;

TEST_F(MakeRuns, FailuresNameTheirReason) {
  Experiment experiment = sample();
  experiment.data = {};
  experiment.data.train = "x";
  const auto runs = plan_runs(experiment, true, {"data", "work"});
  RunLog log(folder_ / "runs.jsonl");
  const auto noisy = make_runs(experiment, runs, log, {.command = {write("noisy", "")}});
  EXPECT_EQ(noisy.size(), runs.size());
  const auto silent = make_runs(experiment, runs, log, {.command = {"true"}});
  ASSERT_EQ(silent.size(), runs.size());
  EXPECT_NE(silent.front().message.find("no 'test_rmse'"), std::string::npos);
}

// A script that counts its calls and prints the value of a metric.
TEST_F(MakeRuns, MakesTheRunsThatAreNotInTheLogYet) {
  Experiment experiment = sample();
  experiment.data = {};
  experiment.data.train = "x";
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  const std::string script =
      write("tulle", "#!/bin/sh\necho x >> " + (folder_ / "calls") + "\necho '{\"test_rmse\": 0.5}'\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  RunLog log(folder_ / "runs.jsonl");
  log.add(runs[0], "plain", 0.25);
  std::size_t last = 0;
  const ExperimentJobs jobs{
      .command = {script}, .jobs = 2, .progress = [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, runs.size());
        last = done;
      }};
  EXPECT_TRUE(make_runs(experiment, runs, log, jobs).empty());
  EXPECT_EQ(last, runs.size());
  EXPECT_EQ(folder_.read("calls").size() / 2, runs.size() - 1);
  EXPECT_EQ(log.find(runs[0]), 0.25);
  for (std::size_t i = 1; i < runs.size(); ++i) EXPECT_EQ(log.find(runs[i]), 0.5);
}

// Two curves may take different fields of one command's report.
TEST_F(MakeRuns, CurvesOfOneCommandHaveTheirOwnMetrics) {
  Experiment experiment = sample();
  experiment.data = {};
  experiment.data.train = "x";
  experiment.curves[1] = experiment.curves[0];
  experiment.curves[1].name = "other metric";
  experiment.curves[1].metric = "test_mae";
  const auto runs = plan_runs(experiment, true, {"data", "work"});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].evaluate, runs[1].evaluate);
  const std::string script = write("tulle", "#!/bin/sh\necho '{\"test_rmse\": 0.5, \"test_mae\": 0.25}'\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const std::string path = folder_ / "runs.jsonl";
  RunLog log(path);
  EXPECT_TRUE(make_runs(experiment, {runs[0]}, log, {.command = {script}}).empty());
  EXPECT_EQ(RunLog(path).find(runs[1]), std::nullopt) << "it is another run";
  EXPECT_TRUE(make_runs(experiment, runs, log, {.command = {script}}).empty());
  const RunLog again(path);
  for (const RunLog* read : std::array<const RunLog*, 2>{&log, &again}) {
    EXPECT_EQ(read->find(runs[0]), 0.5);
    EXPECT_EQ(read->find(runs[1]), 0.25);
  }
}

// A script that writes down its curve and seed; the runs of two experiments are one queue.
TEST_F(MakeRuns, OfSeveralExperimentsMakesTheFirstOfEveryCurveFirst) {
  Experiment experiment = sample();
  experiment.data = {};
  experiment.data.train = "x";
  for (std::size_t i = 0; i < experiment.curves.size(); ++i)
    experiment.curves[i].arguments = {"--curve" + std::to_string(i)};
  const std::string script = write(
      "tulle", "#!/bin/sh\necho \"$3 $5\" >> " + (folder_ / "calls") + "\necho '{\"test_rmse\": 0.5}'\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  experiment.data.arguments = {};
  RunLog one(folder_ / "one.jsonl"), other(folder_ / "other.jsonl");
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  std::vector<ExperimentBatch> batches = {{&experiment, runs, &one}, {&experiment, runs, &other}};
  make_runs(batches, {.command = {script}, .jobs = 1, .progress = {}});
  for (const ExperimentRun& run : runs) EXPECT_TRUE(one.find(run) && other.find(run));
  const std::string first_round = "--curve0 1\n--curve1 1\n";
  EXPECT_TRUE(folder_.read("calls").starts_with(first_round + first_round)) << folder_.read("calls");
}

// What there is no time for is neither made nor a failure.
TEST_F(MakeRuns, EndsInTimeAndLeavesTheRestForLater) {
  Experiment experiment = sample();
  experiment.data = {};
  experiment.data.train = "x";
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  const std::string script = write("tulle", "#!/bin/sh\nexec sleep 60\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  RunLog log(folder_ / "runs.jsonl");
  const auto start = std::chrono::steady_clock::now();
  const auto failures = make_runs(
      experiment, runs, log,
      {.command = {script}, .jobs = 2, .progress = {}, .until = start + std::chrono::milliseconds(300)});
  EXPECT_TRUE(failures.empty());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  for (const ExperimentRun& run : runs) EXPECT_EQ(log.find(run), std::nullopt);
}

}  // namespace
}  // namespace tulle
