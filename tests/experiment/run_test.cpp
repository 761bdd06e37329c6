#include "experiment/sample.hpp"

#include <tulle/experiment/run.hpp>

#include <gtest/gtest.h>

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
  const auto noisy = make_runs(experiment, runs, log, {.command = write("noisy", "")});
  EXPECT_EQ(noisy.size(), runs.size());
  const auto silent = make_runs(experiment, runs, log, {.command = "true"});
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
      .command = script, .jobs = 2, .progress = [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, runs.size());
        last = done;
      }};
  EXPECT_TRUE(make_runs(experiment, runs, log, jobs).empty());
  EXPECT_EQ(last, runs.size());
  EXPECT_EQ(folder_.read("calls").size() / 2, runs.size() - 1);
  EXPECT_EQ(log.find(runs[0]), 0.25);
  for (std::size_t i = 1; i < runs.size(); ++i) EXPECT_EQ(log.find(runs[i]), 0.5);
}

}  // namespace
}  // namespace tulle
