#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/refit/request.hpp>

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

ModelFile fitted(std::vector<int> ranks, std::string method = "one-shot") {
  CompletionJob job{.method = std::move(method),
                    .terms = {.budget = {12, 0}, .range = {0, 1}, .seed = 3},
                    .fit = {.ranks = std::move(ranks), .seed = 3}};
  if (job.method != "als") job.fit.max_iterations = 5;
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

TEST(RefitRequest, SaysThatItDoesNotStartFromTheModelOfTheFirstFit) {
  ModelFile first = fitted({1});
  EXPECT_EQ(refitted(first, {1}).completion.remarks.back().find("started from a model"), std::string::npos);
  Json guarantee = parse_json(first.guarantee);
  guarantee["source"] = "a model that is public (the owner's word)";
  first.guarantee = json_text(guarantee);
  EXPECT_NE(refitted(first, {1}).completion.remarks.back().find("started from a model"), std::string::npos);
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

ModelFile found_topics() {
  Corpus corpus{Documents(6), 3, {}};
  for (Index i = 0; i < 400; ++i)
    corpus.documents.append(std::array{i % 6, (i + i % 2) % 6, Index{i % 3}}, "made up");
  const TopicJob job{
      .method = "histogram", .terms = {.budget = {2, 0}, .unit = Unit::document}, .options = {.topics = 2}};
  const TopicOutcome outcome = job.run(std::move(corpus));
  return {.model = outcome.model,
          .modes = {{"word", {}}, {"topic", {}}},
          .method = "histogram",
          .guarantee = to_json(outcome.guarantee),
          .measured = outcome.measured};
}

RefitOptions refit_of(ModelFile file) {
  RefitOptions options;
  options.from_model = std::make_shared<const ModelFile>(std::move(file));
  return options;
}

TEST(RefitRequest, MakesTopicsOfTheReleasesOfTopics) {
  RefitOptions options = refit_of(found_topics());
  const ModelFile same = RefitRequest(options).run({}).file;
  EXPECT_EQ(std::get<Topics>(same.model).topics, std::get<Topics>(options.from_model->model).topics);
  options.topics = 3;
  const RefitOutcome outcome = RefitRequest(options).run({});
  EXPECT_EQ(std::get<Topics>(outcome.file.model).count(), 3);
  EXPECT_EQ(report_of(outcome)["model"], "topics");
  options.topics = 0;
  EXPECT_THROW(RefitRequest(options).run({}), UsageError);
}

template <class Run>
std::string refit_refusal(const Run& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RefitRequest, RefusesOptionsOfTheOtherKindOfModel) {
  RefitOptions topics = refit_of(found_topics()), completion = refit_of(fitted({1}));
  topics.fit.ridge = 1;
  EXPECT_EQ(refit_refusal([&] { RefitRequest{topics}; }),
            "FitOptions::ridge is for a completed tensor, and this is a model of topics; omit it");
  completion.topics = 2;
  EXPECT_EQ(refit_refusal([&] { RefitRequest{completion}; }),
            "topics is for a model of topics, and this is a completed tensor; omit it");
}

TEST(RefitRequest, RefusesOptionsThatTheMethodDoesNotRead) {
  RefitOptions options = refit_of(fitted({1}, "als"));
  options.seed = 4;
  EXPECT_EQ(refit_refusal([&] { RefitRequest{options}; }), "method als does not read seed; omit it");
}

TEST(RefitRequest, SaysWhyAMethodKeepsNoReleases) {
  EXPECT_EQ(refit_refusal([&] { RefitRequest{refit_of(fitted({1}, "plain"))}; }),
            "the model: keeps no releases to refit (method plain: without privacy nothing is released)");
  ModelFile file = fitted({1});
  file.measured = nullptr;
  EXPECT_EQ(
      refit_refusal([&] { RefitRequest{refit_of(file)}; }),
      "the model: keeps no releases to refit; fit the data again, in the sound form and without a seed, "
      "and keep them");
}

}  // namespace
}  // namespace tulle
