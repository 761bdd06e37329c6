#include <tulle/job/classify.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

LabelledExamples two_points() {
  LabelledExamples all{FloatMatrix(40, 2), {}, {"a", "b"}, 0, 0};
  all.facts = FactsFrom::owner;
  for (int row = 0; row < 40; ++row) {
    all.labels.push_back(row % 2);
    all.values.row(row) << static_cast<float>(row % 2), 0.5f;
  }
  return all;
}

TEST(ClassificationJob, IsReportedWithTheOwnersFieldsMarked) {
  ClassificationJob job{.method = "sgd"};
  job.terms.budget = {1, 1e-6};
  job.terms.range = {0, 1};
  job.terms.seed = 1;
  job.settings.set(setting::steps, 3).set(setting::sampling_rate, 1);
  job.options.hidden = std::vector{4};
  ClassifierMade made{.outcome = job.run(two_points()), .examples = 40};
  made.scores = score_classes(made.outcome.model.probabilities(two_points().values), two_points().labels);
  made.baseline_accuracy = 0.5;
  const nlohmann::ordered_json report = report_of(job, made);
  EXPECT_EQ(report["hidden"], nlohmann::ordered_json::parse("[4]"));
  EXPECT_EQ(report["parameters"], 3 * 4 + 5 * 2);
  EXPECT_EQ(report["guarantee"]["unit"], "example");
  for (const char* field : {"train_examples", "test_accuracy", "baseline_accuracy", "seconds"}) {
    const auto& fields = report["owner_only"]["fields"];
    EXPECT_NE(std::ranges::find(fields, field), fields.end()) << field;
  }
}

// Whether a part of the data has examples is private under add-remove: no field shows it.
TEST(ClassificationJob, ReportsScoresOfNoExamplesAsNull) {
  nlohmann::ordered_json report;
  OwnerFields owner;
  const ClassScores scores = score_classes(FloatMatrix(0, 2), {});
  add(scores, report, owner);
  for (const char* field : {"test_accuracy", "test_cross_entropy", "test_calibration_error", "test_entropy"})
    EXPECT_TRUE(report.at(field).is_null()) << field;
  EXPECT_EQ(report["test_examples"], 0);
  EXPECT_EQ(text(scores), "no examples to measure on");
}

TEST(ClassificationJob, ReportsPlainRunsWithoutAGuarantee) {
  ClassificationJob job{.method = "plain"};
  job.terms.range = {0, 1};
  job.options.hidden = std::vector<int>();
  const ClassifierMade made{.outcome = job.run(two_points()), .examples = 40};
  const nlohmann::ordered_json report = report_of(job, made);
  EXPECT_TRUE(report["guarantee"].is_null());
  EXPECT_FALSE(report.contains("owner_only"));
  EXPECT_EQ(made.outcome.history.size(), report["iterations"]);
}

}  // namespace
}  // namespace tulle
