#include <tulle/base/error.hpp>
#include <tulle/model/topic_posterior.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

Topics two_topics() {
  Matrix topics(3, 2);
  topics << 0.5, 0.1, 0.5, 0.2, 0, 0.7;
  return {topics, (Vector(2) << 0.25, 0.75).finished()};
}

Documents documents_of(std::initializer_list<std::vector<Index>> words) {
  Documents documents(3);
  for (const std::vector<Index>& each : words) documents.append(each, "");
  return documents;
}

// By Bayes' rule: 0.25 x 0.5 x 0.5 against 0.75 x 0.1 x 0.2.
TEST(TopicPosterior, FollowsFromTheWordsOfADocument) {
  const TopicPosterior posterior = topic_posterior(two_topics(), documents_of({{0, 1}}));
  EXPECT_NEAR(posterior.shares(0, 0), 0.0625 / 0.0775, 1e-12);
  EXPECT_NEAR(posterior.log_likelihood, std::log(0.0775), 1e-12);
  EXPECT_NEAR(posterior.perplexity(), 1 / std::sqrt(0.0775), 1e-12);
}

TEST(TopicPosterior, OfADocumentWithoutWordsIsTheFrequencies) {
  const TopicPosterior posterior = topic_posterior(two_topics(), documents_of({{}}));
  EXPECT_NEAR(posterior.shares(0, 1), 0.75, 1e-12);
  EXPECT_EQ(posterior.words, 0u);
}

TEST(TopicPosterior, OfEqualWordsThePerplexityIsTheirNumber) {
  const Topics equal{Matrix::Constant(3, 2, 1.0 / 3), Vector::Constant(2, 0.5)};
  EXPECT_NEAR(topic_posterior(equal, documents_of({{0, 1}, {2, 2, 2}})).perplexity(), 3, 1e-12);
}

TEST(TopicPosterior, IsFiniteForWordsThatATopicExcludes) {
  const std::vector<Index> many(2000, 2);
  const TopicPosterior posterior = topic_posterior(two_topics(), documents_of({many}));
  EXPECT_TRUE(posterior.shares.allFinite());
  EXPECT_NEAR(posterior.shares(0, 1), 1, 1e-12);
  EXPECT_THROW(topic_posterior(two_topics(), Documents(4)), Error);
}

// Densities at 0 and 1 of Normal(0, 1) and Normal(1, 1).
TEST(TopicPosterior, OfAVectorIsThatOfItsComponent) {
  const Topics mixture{(Matrix(1, 2) << 0, 1).finished(), Vector::Constant(2, 0.5), 1};
  const Matrix rows = (Matrix(2, 1) << 0, 0.5).finished();
  const TopicPosterior posterior = topic_posterior(mixture, rows);
  EXPECT_NEAR(posterior.shares(0, 0), 1 / (1 + std::exp(-0.5)), 1e-12);
  EXPECT_NEAR(posterior.shares(1, 0), 0.5, 1e-12);
  EXPECT_THROW(topic_posterior(mixture, Matrix::Ones(1, 2)), Error);
}

}  // namespace
}  // namespace tulle
