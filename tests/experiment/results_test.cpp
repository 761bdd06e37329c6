#include "experiment/sample.hpp"
#include "io/expect_error.hpp"

#include <tulle/experiment/results.hpp>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace tulle {
namespace {

using Results = ExperimentFiles;

TEST_F(Results, GoOnWhereTheyStopped) {
  const Experiment experiment = sample();
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  const std::string path = folder_ / "runs.jsonl";
  {
    RunLog log(path);
    log.add(runs[1], experiment.curves[1].name, 0.75);
    log.add(runs[2], experiment.curves[1].name, 0.1 + 0.2);
  }
  std::filesystem::resize_file(
      path, std::filesystem::file_size(path) - 5);  // cut off in the middle of the last line
  RunLog log(path);
  EXPECT_EQ(log.find(runs[1]), 0.75);
  EXPECT_EQ(log.find(runs[2]), std::nullopt);
  log.add(runs[2], experiment.curves[1].name, 0.1 + 0.2);
  EXPECT_EQ(RunLog(path).find(runs[2]), 0.1 + 0.2);
}

// Lines of earlier versions name the curve alone, whose metric it is then.
TEST_F(Results, OfEarlierVersionsAreOfTheMetricOfTheirCurve) {
  Experiment experiment = sample();
  experiment.curves[0].metric = "test_mae";
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  const std::string line =
      fmt::format("\"value\": 0.5, \"command\": \"tulle {}\"}}\n", fmt::join(runs[0].evaluate, " "));
  const RunLog log(write("runs.jsonl", "{\"curve\": \"plain\", " + line), experiment);
  EXPECT_EQ(log.find(runs[0]), 0.5);
  ExperimentRun other = runs[0];
  other.metric = "test_rmse";
  EXPECT_EQ(log.find(other), std::nullopt);
  const RunLog unknown(write("other.jsonl", "{\"curve\": \"gone\", " + line), experiment);
  EXPECT_EQ(unknown.find(runs[0]), std::nullopt) << "made again rather than guessed";
}

TEST_F(Results, RefuseALogThatIsNone) {
  const std::string path = write("runs.jsonl", "value,curve\n1,a\n");
  EXPECT_MESSAGE(RunLog{path},
                 path +
                     ": 'value,curve' is no run of an experiment; remove the line, or the file to "
                     "run all again");
}

TEST_F(Results, AFigureThatThePaperDoesNotHaveIsADash) {
  Experiment experiment = sample();
  experiment.curves[1].printed = {std::nan(""), 0.25};
  const std::string text = to_text(experiment, {experiment.values, {{}, {{1, 1, 0.5, 0}}}});
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_NE(text.find("-      0.25"), std::string::npos) << text;
}

TEST_F(Results, GiveMeanAndStandardErrorBesideThePaper) {
  const Experiment experiment = sample();
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  RunLog log(folder_ / "runs.jsonl");
  for (const ExperimentRun& run : runs)
    log.add(run, experiment.curves[run.curve].name, run.curve == 0 ? 0.5 : run.x + run.seed);
  const ExperimentTable table = summarise(experiment, runs, log);
  ASSERT_EQ(table.curves[1].size(), 2);
  EXPECT_DOUBLE_EQ(table.curves[1][1].mean, 4.5);
  EXPECT_DOUBLE_EQ(table.curves[1][1].standard_error, std::sqrt(1.0 / 3));
  EXPECT_EQ(table.curves[0].size(), 1);
  EXPECT_NE(to_text(experiment, table).find("(paper)"), std::string::npos);
  EXPECT_NE(to_csv(experiment, table).find("\"input, \"\"noisy\"\"\",2.5,3,4.5,"), std::string::npos);
  EXPECT_NE(to_plot(experiment, table).find("<svg"), std::string::npos);
}

// A published algorithm may diverge to numbers whose squares are not finite.
TEST_F(Results, ThatHaveDivergedAreShown) {
  const Experiment experiment = sample();
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  RunLog log(folder_ / "runs.jsonl");
  for (const ExperimentRun& run : runs)
    log.add(run, experiment.curves[run.curve].name, run.curve == 0 ? 0.5 : 1e200 * run.seed);
  const ExperimentTable table = summarise(experiment, runs, log);
  EXPECT_DOUBLE_EQ(table.curves[1][0].mean, 2e200);
  EXPECT_DOUBLE_EQ(table.curves[1][0].standard_error, 1e200 * std::sqrt(1.0 / 3));
  EXPECT_NE(to_plot(experiment, table).find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace tulle
