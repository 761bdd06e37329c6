#include <tulle/base/error.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/prediction.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace tulle {
namespace {

CompletionData run_data() {
  SparseTensor cells(Shape{4, 3}, Unlisted::missing), test(Shape{4, 3}, Unlisted::missing);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j)
      (i + j == 5 ? test : cells).append(std::array<Index, 2>{i, j}, static_cast<float>(i + j));
  return {.modes = unnamed_modes(2),
          .public_modes = unnamed_modes(2),
          .train = cells,
          .test = test,
          .privacy = {.values = true}};
}

CompletionJob run_job(std::string method, double epsilon = 1) {
  return {.method = std::move(method),
          .terms = {.budget = {epsilon, 0}, .range = {0, 5}, .seed = 3},
          .fit = {.seed = 1}};
}

CompletionOutcome outcome_of(const CompletionJob& job, bool score_all = false) {
  return CompletionRun(job, run_data(), score_all).run({}, {});
}

// The run's own remark names the method too.
TEST(CompletionRun, PicksTheMethodThatRuns) {
  for (const double epsilon : {0.1, 1.0, 100.0}) {
    const CompletionRun picking(run_job("auto", epsilon), run_data());
    const CompletionOutcome done = outcome_of(run_job("auto", epsilon));
    EXPECT_EQ(done.picked, picking.picked());
    EXPECT_TRUE(done.completion.remarks.front().starts_with("Chose method " + done.picked + ":"));
  }
  EXPECT_EQ(CompletionRun(run_job("input"), run_data()).picked(), "");
  EXPECT_EQ(CompletionRun(run_job("plain"), run_data()).picked(), "");
}

TEST(CompletionRun, IsTheRunOfItsJob) {
  for (const char* method : {"plain", "input", "auto"}) {
    const Completion of_job = run_job(method).run(Dataset{{}, run_data().train});
    const CompletionOutcome outcome = outcome_of(run_job(method));
    EXPECT_EQ(reconstruct(outcome.completion.model), reconstruct(of_job.model)) << method;
    EXPECT_EQ(to_json(outcome.completion.guarantee), to_json(of_job.guarantee)) << method;
    EXPECT_EQ(outcome.train_cells, 11u);
    EXPECT_EQ(outcome.scores->cells, 1u);
  }
}

TEST(CompletionRun, ScoresAllCellsWhereAsked) {
  EXPECT_EQ(outcome_of(run_job("input"), true).scores->cells, 12u);
}

// Users come and go: the published model predicts the same for all of them, and has an error of its own.
CompletionJob user_job() {
  CompletionJob job = run_job("als", 50);
  job.terms.budget.delta = 1e-3;
  job.terms.unit = Unit::user;
  job.terms.user_mode = 0;
  job.terms.relation = Relation::add_remove;
  job.terms.scope.mode = "mode1";
  return job;
}

CompletionData user_data() {
  CompletionData data = run_data();
  data.public_modes[0] = {"mode1", {}, true};
  data.privacy = privacy_of(user_job());
  return data;
}

TEST(CompletionRun, UnderJointPrivacyScoresThePublishedModelToo) {
  CompletionRun run(user_job(), user_data());
  const CompletionOutcome outcome = run.run({}, {});
  ASSERT_TRUE(outcome.scores && outcome.published_scores);
  EXPECT_NE(outcome.scores->rmse, outcome.published_scores->rmse);
  const std::vector<double> predicted = predict_cells(published_model(user_job(), outcome, run.data()),
                                                      user_data().test->cells(), Clamping::to_range);
  EXPECT_EQ(outcome.published_scores->rmse, score(user_data().test->values(), predicted).rmse);
  const auto report = report_of(user_job(), outcome, false);
  EXPECT_EQ(report["test_with_own_rows"]["rmse"], outcome.scores->rmse);
  EXPECT_EQ(report["test_published_model"]["rmse"], outcome.published_scores->rmse);
  EXPECT_FALSE(outcome_of(run_job("input")).published_scores) << "all that predicts is published";
}

TEST(CompletionRun, OfJointPrivacyWithoutCellsToScoreHasTheSameFields) {
  CompletionData data = user_data();
  data.test = SparseTensor(Shape{4, 3}, Unlisted::missing);
  const CompletionOutcome with = CompletionRun(user_job(), user_data()).run({}, {}),
                          without = CompletionRun(user_job(), std::move(data)).run({}, {});
  EXPECT_TRUE(report_of(user_job(), without, false)["test_published_model"].is_null());
  EXPECT_EQ(report_of(user_job(), with, false)["owner_only"],
            report_of(user_job(), without, false)["owner_only"]);
}

bool is_no_better(const std::string& note) {
  return note.starts_with("The model is no better than");
}

// The training values add up to 25, the test value is 5.
TEST(CompletionRun, TellsWhetherTheModelIsBetterThanTheTrainingValuesAlone) {
  for (const char* method : {"plain", "input"})
    for (const double epsilon : {0.01, 100.0}) {
      const CompletionOutcome outcome = outcome_of(run_job(method, epsilon));
      ASSERT_TRUE(outcome.baselines && outcome.scores);
      EXPECT_NEAR(outcome.baselines->mean, 5 - 25 / 11.0, 1e-12);
      const bool no_better =
          outcome.scores->rmse >= std::min(outcome.baselines->mean, outcome.baselines->main_effects);
      const bool is_private = std::string(method) != "plain";
      EXPECT_EQ(std::ranges::any_of(outcome.owner_notes, is_no_better), is_private && no_better);
      EXPECT_EQ(std::ranges::any_of(outcome.completion.remarks, is_no_better), !is_private && no_better);
    }
}

TEST(CompletionRun, HasTheFieldsOfBaselinesWithAndWithoutCellsToScore) {
  CompletionData data = run_data();
  data.test = SparseTensor(Shape{4, 3}, Unlisted::missing);
  const auto with = report_of(run_job("input"), outcome_of(run_job("input")), false),
             without = report_of(run_job("input"), CompletionRun(run_job("input"), data).run({}, {}), false);
  EXPECT_NEAR(with["baseline_mean_rmse"], 5 - 25 / 11.0, 1e-12);
  EXPECT_TRUE(without["baseline_mean_rmse"].is_null());
  EXPECT_EQ(with["owner_only"], without["owner_only"]);
}

// Half of the values are outside of the range.
TEST(CompletionRun, TellsWhatIsLostBeforeItIsPaidForAndStopsWhereTheOwnerSaysSo) {
  CompletionJob job = run_job("input");
  job.terms.range = {0, 1.5};
  CompletionRun run(job, run_data());
  ASSERT_EQ(run.losses().size(), 1u);
  EXPECT_NEAR(run.losses()[0].share, 8.0 / 11, 1e-12);
  EXPECT_EQ(run.owner_notes()[0], run.losses()[0].what);
  EXPECT_EQ(run.run({}, {}).owner_notes[0], run.losses()[0].what);
  EXPECT_THROW(CompletionRun(job, run_data(), false, 0.5), Error);
  const CompletionOutcome allowed = CompletionRun(job, run_data(), false, 0.9).run({}, {});
  EXPECT_NE(sentence(allowed.completion.guarantee).find("at most 90 % of the data"), std::string::npos);
}

TEST(CompletionRun, RefusesBeforeItIsPaidFor) {
  EXPECT_THROW(CompletionRun(run_job("gradient"), run_data()), UsageError) << "gradient needs a delta";
}

TEST(CompletionRun, ReportsIterationsAndAsksForPayment) {
  int steps = 0, paid = 0;
  CompletionRun run(run_job("output"), run_data());
  run.run([&](const Curator&) { ++paid; }, [&](const Iteration&) { return ++steps, true; });
  EXPECT_GT(steps, 0);
  EXPECT_EQ(paid, 1);
}

// Predictions are clamped to the range that was stated, or to that of the observed cells where plain chooses
// the fit; a fit of a given rank is left as it is.
TEST(Completion, SaysWhatPredictionsAreClampedTo) {
  const auto range = [](const CompletionJob& job) { return job.run(Dataset{{}, run_data().train}).range; };
  EXPECT_EQ(range(run_job("input"))->high, 5);
  EXPECT_EQ(range(run_job("plain"))->low, 0);
  EXPECT_EQ(range(run_job("plain"))->high, 4);
  CompletionJob ranked = run_job("plain");
  ranked.fit.ranks = {1};
  EXPECT_FALSE(range(ranked));
  CompletionJob published = run_job("input");
  published.terms.calibration = Calibration::published;
  EXPECT_FALSE(range(published));
}

TEST(SaveModels, SaysTheRangeAndTheMethodThatRan) {
  const std::string path = std::filesystem::path(::testing::TempDir()) / "completion_run.npz";
  CompletionRun run(run_job("auto"), run_data());
  const CompletionOutcome outcome = run.run({}, {});
  save_models({.model = path, .with_user_rows = ""}, run_job("auto"), outcome, run.data());
  const ModelFile file = load_completed(path);
  EXPECT_EQ(file.method, outcome.picked);
  EXPECT_EQ(file.range->high, 5);
  EXPECT_NE(file.guarantee.find(R"("epsilon":1.0)"), std::string::npos);
  EXPECT_THROW(save_models({.model = "", .with_user_rows = path}, run_job("auto"), outcome, run.data()),
               Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tulle
