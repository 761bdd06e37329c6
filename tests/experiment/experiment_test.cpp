#include <tulle/base/error.hpp>
#include <tulle/experiment/results.hpp>
#include <tulle/experiment/run.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tulle {
namespace {

namespace fs = std::filesystem;

class ExperimentTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tulle-experiment-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  std::string error_of(const std::string& text) {
    try {
      load_experiment(write("bad.toml", text));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  Experiment sample() {
    return load_experiment(write("sample.toml", R"(
title = "A sample"
x = "epsilon"
values = [1, 2.5]
quick_values = [1]
seeds = 3
quick_seeds = 1
[data]
generate = ["cp", "--observed", "{x}"]
arguments = ["--rank", "2"]
[[curves]]
name = "plain"
arguments = ["--method", "plain"]
flat = true
[[curves]]
name = "input, \"noisy\""
arguments = ["--epsilon", "{x}"]
printed = [0.5, 0.25]
)"));
  }

  fs::path folder_;
};

TEST_F(ExperimentTest, PlansEveryPointAndFlatCurvesOnce) {
  const Experiment experiment = sample();
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  EXPECT_EQ(runs.size(), 3 * (1 + 2));
  const ExperimentRun& last = runs.back();
  EXPECT_EQ(last.x, 2.5);
  EXPECT_EQ(last.seed, 3);
  const std::string folder = "work/cp-observed-2.5-seed-3";
  EXPECT_EQ(last.prepare,
            (std::vector<std::string>{"generate", "cp", "--observed", "2.5", "--seed", "3", "-o",
                                      folder + "/train.tns", "--test", folder + "/test.tns"}));
  EXPECT_EQ(last.evaluate, (std::vector<std::string>{"complete", folder + "/train.tns", "--test",
                                                     folder + "/test.tns", "--rank", "2", "--epsilon", "2.5",
                                                     "--seed", "3", "--threads", "1", "--json"}));
  EXPECT_EQ(plan_runs(experiment, true, {"data", "work"}).size(), 2);
}

TEST_F(ExperimentTest, RefusesWhatItDoesNotUnderstand) {
  EXPECT_NE(error_of("x = ").find("bad.toml:1"), std::string::npos);
  EXPECT_NE(error_of("x = 3\n[data]\ngenerate=['cp']").find("wrong kind"), std::string::npos);
  EXPECT_NE(
      error_of("x='e'\nvalues=[1]\nseed=3\n[data]\ngenerate=['cp']\n[[curves]]\nname='a'").find("'seed'"),
      std::string::npos);
  EXPECT_NE(error_of("x='e'\nvalues=[1]\n[[curves]]\nname='a'").find("[data]"), std::string::npos);
  EXPECT_NE(error_of("x='e'\nvalues=[1]\n[data]\n[[curves]]\nname='a'").find("either"), std::string::npos);
  EXPECT_NE(
      error_of("x='e'\nvalues=[1]\n[data]\ntrain='t'\n[[curves]]\nname='a'\nprinted=[1,2]").find("2 figures"),
      std::string::npos);
}

TEST_F(ExperimentTest, GoesOnWhereItStopped) {
  const Experiment experiment = sample();
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  const std::string path = (folder_ / "runs.jsonl").string();
  {
    RunLog log(path);
    log.add(runs[1], experiment.curves[1].name, 0.75);
    log.add(runs[2], experiment.curves[1].name, 0.1 + 0.2);
  }
  fs::resize_file(path, fs::file_size(path) - 5);  // cut off in the middle of the last line
  RunLog log(path);
  EXPECT_EQ(log.find(runs[1]), 0.75);
  EXPECT_EQ(log.find(runs[2]), std::nullopt);
  log.add(runs[2], experiment.curves[1].name, 0.1 + 0.2);
  EXPECT_EQ(RunLog(path).find(runs[2]), 0.1 + 0.2);
}

TEST_F(ExperimentTest, RefusesALogThatIsNone) {
  const std::string path = write("runs.jsonl", "value,curve\n1,a\n");
  try {
    RunLog log(path);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'value,curve' is no run of an experiment"), std::string::npos);
  }
}

TEST_F(ExperimentTest, GivesMeanAndStandardErrorBesideThePaper) {
  const Experiment experiment = sample();
  const auto runs = plan_runs(experiment, false, {"data", "work"});
  RunLog log((folder_ / "runs.jsonl").string());
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

TEST_F(ExperimentTest, FailuresNameTheirReason) {
  Experiment experiment = sample();
  experiment.data = {};
  experiment.data.train = "x";
  const auto runs = plan_runs(experiment, true, {"data", "work"});
  RunLog log((folder_ / "runs.jsonl").string());
  const auto noisy = make_runs(experiment, runs, log, {.command = write("noisy", "")});
  EXPECT_EQ(noisy.size(), runs.size());
  const auto silent = make_runs(experiment, runs, log, {.command = "true"});
  ASSERT_EQ(silent.size(), runs.size());
  EXPECT_NE(silent.front().message.find("no 'test_rmse'"), std::string::npos);
}

TEST_F(ExperimentTest, AnyVerbRunsOnFilesThatDependOnTheQuantity) {
  const Experiment experiment = load_experiment(write("verb.toml", R"(
verb = "topics"
x = "documents"
values = [50, 800]
seeds = 1
[data]
train = "stm_{x}k.npy"
arguments = ["--truth", "{data}/mu_{x}k.npy"]
[[curves]]
name = "plain"
arguments = ["--method", "plain"]
)"));
  EXPECT_EQ(data_file(experiment, 50), "stm_50k.npy");
  const auto runs = plan_runs(experiment, false, {"/sets", "/work"});
  ASSERT_EQ(runs.size(), 2u);
  const std::vector<std::string> expected = {"topics",    "/sets/stm_800k.npy",
                                             "--truth",   "/sets/mu_800k.npy",
                                             "--method",  "plain",
                                             "--seed",    "1",
                                             "--threads", "1",
                                             "--json"};
  EXPECT_EQ(runs[1].evaluate, expected);
}

}  // namespace
}  // namespace tulle
