#include "method/topics/samples.hpp"

#include <tulle/tensor/symmetric.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace tulle {
namespace {

using namespace testing;

using ::testing::HasSubstr;

Corpus sample_corpus() {
  return made_up(true_topics(8, 3), 20000, 3, 1);
}

// Two-sided geometric noise for counts that move by 2: variance 2 a / (1 - a)^2, a = exp(-epsilon / 2).
TEST(Histogram, NoiseIsCalibratedToAReplacedDocument) {
  const auto record = [](const TopicRun& run) { return run(sample_corpus()).guarantee.releases.at(0); };
  TopicRun run;
  const double a = std::exp(-0.5);
  EXPECT_NEAR(record(run).deviation, std::sqrt(2 * a) / (1 - a), 1e-6);
  EXPECT_EQ(record(run).numbers, triple_cells(8));
  run.terms.budget = {0.5, 1e-5};  // sqrt(2) / mu = 9.94 of Gaussian noise is more than 5.65 of Laplace noise
  EXPECT_EQ(record(run).noise, "discrete Laplace");
}

TEST(Histogram, LargeVocabulariesAreNotHeldWhole) {
  const Matrix truth = true_topics(400, 2);
  const Corpus corpus = made_up(truth, 60000, 3, 2);
  TopicRun run{.method = "plain", .options = {.topics = 2, .seed = 1}};
  EXPECT_LT(error_of(run(corpus), truth), 0.02);
  run.method = "histogram";
  run.terms.budget = {4, 1e-6};
  const TopicOutcome outcome = run(corpus);
  EXPECT_LT(error_of(outcome, truth), 0.03);
  ASSERT_EQ(outcome.guarantee.releases.size(), 3u);
  EXPECT_EQ(outcome.guarantee.releases[0].numbers, 400u);
  EXPECT_LE(outcome.guarantee.releases[1].numbers, pair_cells(400));
  EXPECT_EQ(outcome.guarantee.releases[2].numbers, triple_cells(2));
  EXPECT_LE(outcome.guarantee.used.epsilon, 4 * (1 + 1e-9));
  for (const char* method : {"agn", "avn"}) {
    run.method = method;
    EXPECT_THAT(run.refusal(corpus), HasSubstr("use method histogram"));
  }
}

TEST(Histogram, LongDocumentsAreUsedWhole) {
  const Matrix truth = true_topics(8, 3);
  TopicRun run{.method = "plain"};
  const double threes = error_of(run(made_up(truth, 3000, 3, 3)), truth);
  EXPECT_LT(error_of(run(made_up(truth, 3000, 12, 3)), truth), threes);
  run.method = "histogram";
  const TopicOutcome outcome = run(made_up(truth, 3000, 12, 3));
  EXPECT_EQ(outcome.guarantee.releases[0].noise, "Laplace") << "shares are no whole numbers";
}

// Moments get no more of the budget than they need; the steps share the rest.
TEST(Histogram, AMixtureIsReleasedInOneVectorAndFourSteps) {
  TopicRun run;
  run.terms.budget = {1, 1e-6};
  const Guarantee guarantee = run(made_up_mixture(Matrix::Identity(4, 3), 0.1, 2000, 1)).guarantee;
  ASSERT_EQ(guarantee.releases.size(), 5u);
  EXPECT_EQ(guarantee.releases[0].numbers, 4 + pair_cells(4) + triple_cells(4));
  EXPECT_EQ(guarantee.releases[1].numbers, 3u * 5u);
  EXPECT_LE(guarantee.used.epsilon, 1 + 1e-9);
}

}  // namespace
}  // namespace tulle
