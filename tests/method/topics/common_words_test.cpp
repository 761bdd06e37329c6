#include "topics/common_words.hpp"

#include "method/topics/samples.hpp"

#include <tulle/tensor/symmetric.hpp>

#include <gmock/gmock.h>

namespace tulle {
namespace {

using namespace testing;

// Half of the documents are about the first 10 of the common words, half about the next 10; all have rare
// ones.
Corpus two_subjects(std::size_t documents, std::uint64_t seed) {
  constexpr Index kWordsOfAll = 2000;
  Random random(seed);
  Corpus corpus{Documents(kWordsOfAll), std::nullopt, {}};
  for (std::size_t i = 0; i < documents; ++i) {
    const Index first = random.chance(0.5) ? 0 : 10;
    std::vector<Index> words;
    for (int place = 0; place < 8; ++place)
      words.push_back(random.chance(0.5) ? first + static_cast<Index>(random.below(10))
                                         : 20 + static_cast<Index>(random.below(kWordsOfAll - 20)));
    corpus.documents.append(words, "made up");
  }
  return corpus;
}

TopicOutcome found_at(double epsilon, int topics) {
  TopicRun run{.options = {.topics = topics, .seed = 1}};
  run.terms.budget = {epsilon, 0};
  return run(two_subjects(3000, 1));
}

// At least 0.9 of what a topic has of the common words belongs to one subject: the other one's share is
// noise.
TEST(CommonWords, TellSubjectsApartThatManyRareWordsHide) {
  const TopicOutcome outcome = found_at(5, 2);
  EXPECT_THAT(outcome.model.stands_out, ::testing::ElementsAre(true, true));
  for (int topic = 0; topic < 2; ++topic) {
    const double first = outcome.model.topics.col(topic).head(10).sum(),
                 second = outcome.model.topics.col(topic).segment(10, 10).sum();
    EXPECT_GT(std::max(first, second), 0.9 * (first + second)) << topic;
  }
  EXPECT_LE(outcome.guarantee.used.epsilon, 5 * (1 + 1e-9));
}

TEST(CommonWords, TopicsBeyondThoseThatStandOutHoldTheSharesOfAllDocuments) {
  const Topics model = found_at(5, 4).model;
  EXPECT_THAT(model.stands_out, ::testing::ElementsAre(true, true, false, false));
  EXPECT_EQ(model.weights.tail(2), Vector::Zero(2));
  EXPECT_EQ(model.topics.col(2), model.topics.col(3));
  EXPECT_NEAR(model.topics.col(2).head(10).sum(), 0.25, 0.05);
}

TEST(CommonWords, WithoutATopicTheModelIsTheSharesOfWords) {
  const Topics model = found_at(0.05, 3).model;
  EXPECT_THAT(model.stands_out, ::testing::ElementsAre(false, false, false));
  EXPECT_TRUE(model.weights.isApprox(Vector::Constant(3, 1.0 / 3)));
  EXPECT_EQ(model.topics.col(0), model.topics.col(2));
  EXPECT_TRUE(model.topics.allFinite());
}

TEST(CommonWords, PairsOfThemAreRefittedWithAnyNumberOfTopics) {
  TopicRun run{.options = {.topics = 2, .seed = 1}};
  run.terms.budget = {5, 0};
  const TopicOutcome first = run(two_subjects(3000, 1));
  ASSERT_TRUE(has_common_words(*first.measured));
  const TopicOutcome more = refit(*first.measured, {.topics = 4, .seed = 1});
  EXPECT_EQ(more.model.topics, found_at(5, 4).model.topics);
}

TEST(CommonWords, ReleasesThatDoNotGoTogetherAreRefused) {
  TopicRun run{.options = {.topics = 2, .seed = 1}};
  run.terms.budget = {5, 0};
  const Measurement whole = *run(two_subjects(3000, 1)).measured;
  const std::size_t words = whole.releases.at(1).chosen.size();
  for (const double word : {1e9, -1.0, 0.5, whole.releases[1].chosen.front()}) {
    Measurement broken = whole;
    broken.releases.at(1).chosen.back() = word;
    EXPECT_THROW(refit(broken, {.topics = 2}), Error) << word;
  }
  // Projected triples of two topics: a bound, and two numbers per word.
  Release triples = whole.releases[1];
  triples.id = "projected triples of common words";
  triples.values.assign(triple_cells(2), 1);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, words, 2 * words, 1 + 2 * words}) {
    Measurement other = whole;
    other.releases.push_back(triples);
    other.releases.back().chosen.assign(size, 0.5);
    if (size == 1 + 2 * words)
      EXPECT_NO_THROW(refit(other, {.topics = 2}));
    else
      EXPECT_THROW(refit(other, {.topics = 2}), Error) << size;
  }
}

}  // namespace
}  // namespace tulle
