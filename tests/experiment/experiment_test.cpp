#include "experiment/sample.hpp"
#include "io/expect_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

namespace tulle {
namespace {

using ExperimentTest = ExperimentFiles;

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

TEST_F(ExperimentTest, AQuickVersionLeavesOutWhatTakesLong) {
  Experiment experiment = sample();
  experiment.quick_leaves_out = {experiment.curves[0].name};
  EXPECT_EQ(plan_runs(experiment, true, {"data", "work"}).size(), 1);
  EXPECT_EQ(plan_runs(experiment, false, {"data", "work"}).size(), 3 * (1 + 2));
}

bool has_in_a_row(const std::vector<std::string>& arguments, const std::vector<std::string>& some) {
  return std::search(arguments.begin(), arguments.end(), some.begin(), some.end()) != arguments.end();
}

TEST_F(ExperimentTest, AQuickVersionReplacesOptionsAndSaysSo) {
  Experiment experiment = sample();
  EXPECT_EQ(quick_note(experiment), "");
  experiment.quick_arguments = {"--rank", "1", "--iterations", "5"};
  const std::vector<std::string> quick = plan_runs(experiment, true, {"data", "work"}).back().evaluate;
  EXPECT_TRUE(has_in_a_row(quick, {"--rank", "1", "--epsilon"}));
  EXPECT_TRUE(has_in_a_row(quick, {"--iterations", "5", "--seed"}));
  const std::vector<std::string> full = plan_runs(experiment, false, {"data", "work"}).back().evaluate;
  EXPECT_TRUE(has_in_a_row(full, {"--rank", "2", "--epsilon"}));
  EXPECT_EQ(std::ranges::count(full, "--iterations"), 0);
  EXPECT_EQ(quick_note(experiment), "Quick version: runs have --rank 1 --iterations 5.\n");
}

TEST_F(ExperimentTest, RefusesWhatItDoesNotUnderstand) {
  const auto error_of = [&](const std::string& text) {
    return message_of([&] { load_experiment(write("bad.toml", text)); });
  };
  EXPECT_NE(error_of("x = ").find("bad.toml:1"), std::string::npos);
  EXPECT_NE(error_of("x = 3\n[data]\ngenerate=['cp']").find("wrong kind"), std::string::npos);
  EXPECT_NE(
      error_of("x='e'\nvalues=[1]\nseed=3\n[data]\ngenerate=['cp']\n[[curves]]\nname='a'").find("'seed'"),
      std::string::npos);
  EXPECT_NE(error_of("x='e'\nvalues=[1]\n[[curves]]\nname='a'").find("[data]"), std::string::npos);
  EXPECT_NE(error_of("x='e'\nvalues=[1]\nquick_leaves_out=['b']\n[data]\ntrain='t'\n[[curves]]\nname='a'")
                .find("'b', which is no curve"),
            std::string::npos);
  for (const char* options : {"['--steps']", "['steps', '3']", "['--steps', '--rate']"})
    EXPECT_NE(
        error_of(fmt::format("x='e'\nvalues=[1]\nquick_arguments={}\n[data]\ntrain='t'\n[[curves]]\nname='a'",
                             options))
            .find("quick_arguments are options"),
        std::string::npos);
  EXPECT_NE(error_of("x='e'\nvalues=[1]\n[data]\n[[curves]]\nname='a'").find("either"), std::string::npos);
  EXPECT_NE(
      error_of("x='e'\nvalues=[1]\n[data]\ntrain='t'\n[[curves]]\nname='a'\nprinted=[1,2]").find("2 figures"),
      std::string::npos);
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

TEST_F(ExperimentTest, StudiesLieBesideItAndTheirTablesWithTheData) {
  const Experiment experiment = load_experiment(write("coupled.toml", R"(
verb = "couple"
x = "missing"
values = [0.4]
[data]
train = "visits/visits.csv"
study = "one.toml"
[[curves]]
name = "one"
[[curves]]
name = "two"
study = "two.toml"
metric = "popularity_auc"
)"));
  const auto runs = plan_runs(experiment, true, {"data", "work"});
  const auto study_of = [&](const ExperimentRun& run) { return std::filesystem::path(run.evaluate[1]); };
  EXPECT_EQ(study_of(runs[0]).filename(), "one.toml");
  EXPECT_EQ(study_of(runs[1]).filename(), "two.toml");
  EXPECT_EQ(study_of(runs[0]).parent_path(), experiment.folder);
  EXPECT_EQ(runs[0].evaluate[2], "--tables");
  EXPECT_EQ(runs[0].evaluate[3], "data/visits");
  EXPECT_EQ(experiment.curves[1].metric, "popularity_auc");
}

// Links alone have a table beside the first.
TEST_F(ExperimentTest, TablesOfAStudyMayBeGenerated) {
  for (const std::string kind : {"links", "counts"}) {
    const Experiment experiment = load_experiment(write("made.toml", fmt::format(R"(
verb = "couple"
x = "sites"
values = [4]
[data]
generate = ["{}", "--shape", "{{x}}00x50"]
study = "one.toml"
[[curves]]
name = "one"
)",
                                                                                 kind)));
    const ExperimentRun run = plan_runs(experiment, true, {"data", "work"}).front();
    const auto has = [&](const char* word) {
      return std::ranges::find(run.prepare, word) != run.prepare.end();
    };
    EXPECT_EQ(has("--side"), kind == "links");
    EXPECT_FALSE(has("--test"));
    EXPECT_TRUE(has("400x50"));
  }
}

TEST(ShippedExperiments, EachHasAQuickVersion) {
  const char* tests = std::getenv("TULLE_TESTS");
  ASSERT_NE(tests, nullptr) << "run by ctest";
  int found = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(tests) / "../experiments")) {
    if (file.path().extension() != ".toml") continue;
    const Experiment experiment = load_experiment(file.path());
    EXPECT_FALSE(plan_runs(experiment, true, {"data", "work"}).empty()) << experiment.name;
    ++found;
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace tulle
