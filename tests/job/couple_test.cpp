#include "../data/small_study.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/job/couple.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace tulle {
namespace {

CoupleJob small_job() {
  CoupleJob job{.file = {.path = "", .title = "Small"},
                .study = matrix_study(small_counts(Unlisted::zero), 1, 1)};
  job.options.seed = 1;
  return job;
}

TEST(Couple, ScoresWhatItKeepsBack) {
  CoupleJob job = small_job();
  job.kept_back.missing = 0.5;
  const CoupleOutcome outcome = run(job);
  ASSERT_TRUE(outcome.scores);
  EXPECT_EQ(outcome.scores->cells, 10u);
  EXPECT_EQ(outcome.predicted.size(), 10u);
  EXPECT_EQ(outcome.study.tables[0].observed_cells(), 10);
  EXPECT_EQ(report_of(job, outcome)["test_cells"], 10);
}

TEST(Couple, WithoutKeptBackCellsThereAreNoScores) {
  const CoupleOutcome outcome = run(small_job());
  EXPECT_FALSE(outcome.scores);
  EXPECT_FALSE(report_of(small_job(), outcome).contains("test_cells"));
}

TEST(Couple, CellsWithoutALinkHaveNoAuc) {
  CoupleJob job = small_job();
  const auto modes = modes_of(job.study.model, 0, job.study.entities);
  const auto number = job.study.tables[0].data.size();
  SparseTensor zeros(Shape{5, 4}, Unlisted::missing);
  for (Index i = 0; i < 5; ++i) {
    bool listed = false;
    for (std::size_t e = 0; e < number; ++e) {
      const SparseTensor& data = job.study.tables[0].data;
      listed = listed || (data.column(0)[e] == i && data.column(1)[e] == 0);
    }
    if (!listed) zeros.append(std::array{i, Index{0}}, 0);
  }
  ASSERT_GT(zeros.size(), 0u);
  job.kept_back.test = Dataset{modes, zeros};
  const CoupleOutcome outcome = run(job);
  EXPECT_FALSE(outcome.scores->auc);
  EXPECT_TRUE(report_of(job, outcome)["test_auc"].is_null());
}

// Zeros that are not listed are no missing cells: their baseline is popularity.
TEST(Couple, HasTheErrorOfTheMeanBesideItsOwnWhereCellsAreMissing) {
  CoupleJob job = small_job();
  job.kept_back.missing = 0.3;
  EXPECT_FALSE(run(job).scores->baselines);
  EXPECT_TRUE(report_of(job, run(job))["baseline_mean_rmse"].is_null());
  job.study = matrix_study(small_counts(Unlisted::missing), 1, 1);
  const CoupleOutcome outcome = run(job);
  const std::span<const float> kept = outcome.study.tables[0].data.values(), hidden = outcome.test->values();
  const double mean = std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
  EXPECT_NEAR(report_of(job, outcome)["baseline_mean_rmse"],
              rmse(hidden, std::vector<double>(hidden.size(), mean)), 1e-9);
  EXPECT_TRUE(text(*outcome.scores, 10).find("of the mean of the training values") != std::string::npos);
}

TEST(Couple, RefusesEntitiesThatTheRelationDoesNotHave) {
  CoupleJob job = small_job();
  job.kept_back.cold_start = 1;
  job.kept_back.entity = "film";
  EXPECT_THROW(run(job), UsageError);
  job.kept_back.entity = "place";
  EXPECT_EQ(run(job).scores->cells, 5u);
}

}  // namespace
}  // namespace tulle
