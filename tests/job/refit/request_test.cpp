#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/refit/request.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

ModelFile fitted(std::vector<int> ranks, std::string method = "one-shot") {
  CompletionJob job{.method = std::move(method),
                    .terms = {.budget = {12, 0}, .range = {0, 1}, .seed = 3},
                    .fit = {.ranks = std::move(ranks), .max_iterations = 5, .seed = 3}};
  if (job.method == "plain") job.terms = {};
  SparseTensor data = observe(generate_cp(Shape{10, 10, 10}, 2, 3, 2).noisy, 0.5, 3);
  CompletionData read{.modes = unnamed_modes(3), .public_modes = unnamed_modes(3), .train = std::move(data)};
  read.privacy = privacy_of(job);
  CompletionRun run(job, std::move(read));
  const CompletionOutcome outcome = run.run({}, {});
  ModelFile file = published_model(job, outcome, run.data());
  EXPECT_EQ(file.measured, nullptr);  // of a seeded run
  file.measured = outcome.completion.measured;
  return file;
}

RefitOutcome refitted(ModelFile file, std::vector<int> ranks) {
  RefitOptions options;
  options.from_model = std::make_shared<const ModelFile>(std::move(file));
  options.fit = {.ranks = std::move(ranks), .max_iterations = 5};
  return RefitRequest(options).run({});
}

// The seed of the run is kept with its releases.
TEST(RefitRequest, MakesTheModelThatTheRunWouldHaveMade) {
  const ModelFile first = fitted({1}), wanted = fitted({2});
  const RefitOutcome outcome = refitted(first, {2});
  const DenseTensor expected = reconstruct(wanted.model), got = reconstruct(outcome.file.model);
  EXPECT_TRUE(std::ranges::equal(expected.values(), got.values()));
  EXPECT_EQ(outcome.file.guarantee, first.guarantee);
  EXPECT_EQ(outcome.file.measured, first.measured);
  EXPECT_EQ(outcome.file.method, "one-shot");
  EXPECT_EQ(outcome.seed, 3u);
}

TEST(RefitRequest, ReportsTheGuaranteeOfTheReleases) {
  const ModelFile first = fitted({1});
  const Json report = report_of(refitted(first, {2}));
  EXPECT_EQ(report["refitted"], true);
  EXPECT_EQ(report["guarantee"], parse_json(first.guarantee));
}

TEST(RefitRequest, RefusesAModelWithoutReleases) {
  try {
    refitted(fitted({1}, "plain"), {2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("keeps no releases"), std::string::npos);
  }
}

TEST(RefitRequest, KeepsAllChecksOfAFit) {
  const ModelFile first = fitted({1});
  EXPECT_THROW(refitted(first, {1, 2}), UsageError);
  EXPECT_THROW(refitted(first, {-1}), UsageError);
}

}  // namespace
}  // namespace tulle
