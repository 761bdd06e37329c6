#include "topics/word_plan.hpp"

#include "method/topics/samples.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using namespace testing;

struct Asked {
  std::uint64_t documents;
  Index words;
  int topics;
  Budget budget;
};

WordPlan plan_of(const Asked& asked) {
  TopicRequest request = words_request(made_up(true_topics(3, 1), 1, 3, 1), asked.topics);
  request.documents = asked.documents;
  request.words = asked.words;
  request.budget = asked.budget;
  return plan_words(request, Curator::with_budget(asked.budget, Unit::document, Relation::replace));
}

TEST(WordPlan, TriplesAreCountedWhereTheyStandOut) {
  EXPECT_TRUE(plan_of({100'000, 10, 5, {0.1, 0}}).triples);
  EXPECT_TRUE(plan_of({800'000, 50, 10, {0.1, 0}}).triples);
  EXPECT_FALSE(plan_of({3'000, 200, 5, {1, 0}}).triples) << "their pairs would be noise";
  EXPECT_FALSE(plan_of({100'000'000, 400, 5, {1, 0}}).triples) << "they are too many";
}

TEST(WordPlan, WordsGetMoreOfTheBudgetTheFewerDocumentsThereAre) {
  double before = 1;
  for (const std::uint64_t documents : {300u, 3'000u, 30'000u, 300'000u}) {
    const double words = plan_of({documents, 3'000, 5, {1, 0}}).stages.at(0).share;
    EXPECT_LE(words, before) << documents;
    before = words;
  }
  EXPECT_GT(plan_of({3'000, 3'000, 5, {1, 0}}).stages.at(0).share, 0.9);
  EXPECT_LT(before, 0.5);
}

TEST(WordPlan, ThirdMomentsAreReleasedWhereTheyStandOut) {
  EXPECT_FALSE(plan_of({3'000, 3'000, 5, {1, 0}}).cube());
  EXPECT_TRUE(plan_of({1'000'000, 3'000, 5, {1, 0}}).cube());
  EXPECT_FALSE(plan_of({1'000'000, 3'000, 1, {1, 0}}).cube()) << "one topic";
}

TEST(WordPlan, SharesAddUpToTheBudget) {
  for (const double delta : {0.0, 1e-6})
    for (const std::uint64_t documents : {300u, 300'000u}) {
      double sum = 0;
      for (const Stage& stage : plan_of({documents, 1'000, 5, {2, delta}}).stages) sum += stage.share;
      EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(WordPlan, ADeltaNeverRaisesTheNoiseOfWords) {
  const WordPlan pure = plan_of({3'000, 3'000, 5, {1, 0}}), both = plan_of({3'000, 3'000, 5, {1, 1e-6}});
  EXPECT_EQ(both.stages.at(0).loss, Loss::pure) << "Gaussian noise of this budget is more";
  EXPECT_EQ(both.stages.at(0).share, pure.stages.at(0).share);
}

}  // namespace
}  // namespace tulle
