#include "topics/word_moments.hpp"

#include "method/topics/any_documents.hpp"
#include "method/topics/samples.hpp"
#include "topics/estimate.hpp"

#include <tulle/base/threads.hpp>

#include <rapidcheck/gtest.h>

#include <array>

namespace tulle {
namespace {

using namespace testing;

double difference(std::span<const double> one, std::span<const double> other) {
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) largest = std::max(largest, std::abs(one[i] - other[i]));
  return one.size() == other.size() ? largest : 1e9;
}

RC_GTEST_PROP(WordMoments, TriplesAreCountedByDefinition, ()) {
  const Documents documents = any_documents(*rc::gen::inRange<std::size_t>(1, 6));
  RC_ASSERT(difference(triple_counts(documents, documents.size(), 1), naive_triples(documents)) < 1e-9);
}

RC_GTEST_PROP(WordMoments, WordsAreSumsOfPairs, ()) {
  const Documents documents = any_documents(*rc::gen::inRange<std::size_t>(1, 6), 2);
  const Matrix pairs = matrix_of_cells(pair_counts(documents, documents.size(), 1), kWords);
  const Vector words = pairs.rowwise().sum();
  RC_ASSERT(difference(word_counts(documents, documents.size(), 1), {words.data(), kWords}) < 1e-9);
}

TEST(WordMoments, OtherWordsAreLeftOutOfDocuments) {
  Documents documents(4);
  documents.append(std::array<Index, 4>{3, 0, 1, 3}, "");
  documents.append(std::array<Index, 2>{0, 2}, "");
  const Documents left = of_words(documents, {3, 1});
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(std::vector<Index>(left[0].begin(), left[0].end()), (std::vector<Index>{0, 1, 0}));
  EXPECT_TRUE(left[1].empty());
  EXPECT_EQ(left.vocabulary(), 2u);
}

RC_GTEST_PROP(WordMoments, PairsAreSumsOfTriples, ()) {
  const Documents documents = any_documents(*rc::gen::inRange<std::size_t>(1, 6), 3);
  const Matrix pairs = matrix_of_cells(pair_counts(documents, documents.size(), 1), kWords);
  RC_ASSERT((pairs_of_triples(naive_triples(documents), kWords) - pairs).norm() < 1e-9);
}

RC_GTEST_PROP(WordMoments, AReplacedDocumentMovesCountsByAtMostTheSensitivity, ()) {
  const Documents one = any_documents(1), other = any_documents(1);
  for (const auto& count : {word_counts, pair_counts, triple_counts}) {
    const auto a = count(one, 1000, 1), b = count(other, 1000, 1);
    double l1 = 0, l2 = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      l1 += std::abs(a[i] - b[i]);
      l2 += (a[i] - b[i]) * (a[i] - b[i]);
    }
    RC_ASSERT(l1 <= kReplacedCountsL1);
    RC_ASSERT(std::sqrt(l2) <= kReplacedCountsL2);
  }
}

TEST(WordMoments, DocumentsOfOneWordOverAndOverCountOnce) {
  Documents documents(2);
  documents.append(std::vector<Index>(100, 1), "");
  for (std::uint64_t all : {1u, 7u, 8u, 1000u, 1000000000u}) {
    EXPECT_EQ(triple_counts(documents, all, 1)[triple_cell(1, 1, 1)], 1) << all;
    EXPECT_EQ(pair_counts(documents, all, 1)[pair_cell(1, 1)], 1) << all;
  }
}

// Enough documents that threads share them, and thirds, which have no end in binary.
TEST(WordMoments, CountsDoNotDependOnThreads) {
  Documents documents(4);
  for (Index place = 0; place < 40'000; ++place)
    documents.append(std::array<Index, 4>{place % 4, place % 3, place / 7 % 4, place / 5 % 2}, "");
  for (const auto& count : {word_counts, pair_counts, triple_counts}) {
    const std::vector<double> shared = count(documents, documents.size(), 1);
    const OneThread alone;
    EXPECT_EQ(count(documents, documents.size(), 1), shared);
  }
}

TEST(WordMoments, ShortDocumentsAddNothing) {
  Documents documents(3);
  documents.append(std::array<Index, 2>{0, 1}, "");
  documents.append({}, "");
  for (double count : triple_counts(documents, 2, 1)) EXPECT_EQ(count, 0);
  EXPECT_EQ(pair_counts(documents, 2, 1)[pair_cell(0, 1)], 1);
  EXPECT_TRUE(projected_triples(documents, Matrix::Ones(3, 2), 1).isZero(0));
  EXPECT_TRUE(ordered_triples(documents).isZero(0));
  EXPECT_EQ(ordered_pairs(documents).sum(), 1);
}

TEST(WordMoments, LongDocumentsCountOnceLikeAllOthers) {
  Documents documents(100);
  std::vector<Index> words(500);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<Index>(i % 100);
  documents.append(words, "");
  const auto counts = triple_counts(documents, 1, 7);
  double sum = 0;
  for (double count : counts) sum += count;
  EXPECT_LE(sum, 1);
  EXPECT_GT(sum, 0.9999);
  std::ranges::reverse(words);
  Documents reversed(100);
  reversed.append(words, "");
  EXPECT_EQ(counts, triple_counts(reversed, 1, 7));
}

// In their order, as imtiaz2017 has them: not symmetric.
TEST(WordMoments, OrderedMomentsTakeTheFirstWords) {
  Documents documents(3);
  documents.append(std::array<Index, 4>{2, 0, 1, 1}, "");
  documents.append(std::array<Index, 2>{2, 0}, "");
  const Matrix pairs = ordered_pairs(documents);
  EXPECT_EQ(pairs(2, 0), 2);
  EXPECT_EQ(pairs.sum(), 2);
  const Cube triples = ordered_triples(documents);
  EXPECT_EQ(triples(2, 0 * 3 + 1), 1);
  EXPECT_EQ(triples.sum(), 1);
}

RC_GTEST_PROP(WordMoments, TriplesAreProjectedByDefinition, ()) {
  const Documents documents = any_documents(*rc::gen::inRange<std::size_t>(1, 6));
  const Matrix rows = any_rows(kWords, 3, 5);
  const Cube expected = project(naive_triples(documents), rows);
  RC_ASSERT((symmetrised(projected_triples(documents, rows, 1)) - expected).norm() < 1e-9);
}

TEST(WordMoments, ProjectedTriplesAreTheSameForAnyNumberOfThreads) {
  const Corpus corpus = made_up(true_topics(30, 4), 9000, 3, 1);
  const Matrix rows = any_rows(30, 6, 2);
  const int before = threads();
  set_threads(1);
  const Cube one = projected_triples(corpus.documents, rows, 1);
  set_threads(3);
  EXPECT_EQ(one, projected_triples(corpus.documents, rows, 1));
  set_threads(before);
}

}  // namespace
}  // namespace tulle
