#include "method/topics/samples.hpp"
#include "topics/cube_sum.hpp"
#include "topics/estimate.hpp"
#include "topics/mixture.hpp"
#include "topics/projected.hpp"
#include "topics/word_moments.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <rapidcheck/gtest.h>

#include <array>

namespace tulle {
namespace {

using namespace testing;

constexpr Index kWords = 4;

Documents any_documents(std::size_t count, std::size_t shortest = 0) {
  Documents documents(kWords);
  for (std::size_t i = 0; i < count; ++i) {
    const auto length = *rc::gen::inRange<std::size_t>(shortest, 8);
    documents.append(*rc::gen::container<std::vector<Index>>(length, rc::gen::inRange<Index>(0, kWords)), "");
  }
  return documents;
}

// By definition: every choice of three places is as likely.
std::vector<double> naive_triples(const Documents& documents) {
  std::vector<double> counts(triple_cells(documents.vocabulary()));
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const auto words = documents[d];
    const double triples = static_cast<double>(words.size() * (words.size() - 1) * (words.size() - 2)) / 6;
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t k = 0; k < j; ++k) {
          std::array<Index, 3> sorted = {words[i], words[j], words[k]};
          std::ranges::sort(sorted);
          counts[triple_cell(sorted[0], sorted[1], sorted[2])] += 1 / triples;
        }
  }
  return counts;
}

double difference(std::span<const double> one, std::span<const double> other) {
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) largest = std::max(largest, std::abs(one[i] - other[i]));
  return one.size() == other.size() ? largest : 1e9;
}

RC_GTEST_PROP(WordMoments, TriplesAreCountedByDefinition, ()) {
  const Documents documents = any_documents(*rc::gen::inRange<std::size_t>(1, 6));
  RC_ASSERT(difference(triple_counts(documents, documents.size(), 1), naive_triples(documents)) < 1e-9);
}

RC_GTEST_PROP(WordMoments, PairsAreSumsOfTriples, ()) {
  const Documents documents = any_documents(*rc::gen::inRange<std::size_t>(1, 6), 3);
  const Matrix pairs = matrix_of_cells(pair_counts(documents, documents.size(), 1), kWords);
  RC_ASSERT((pairs_of_triples(naive_triples(documents), kWords) - pairs).norm() < 1e-9);
}

RC_GTEST_PROP(WordMoments, AReplacedDocumentMovesCountsByAtMostTheSensitivity, ()) {
  const Documents one = any_documents(1), other = any_documents(1);
  for (const auto& count : {pair_counts, triple_counts}) {
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

Matrix any_rows(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, columns);
  for (double& value : matrix.reshaped()) value = random.normal() / 3;
  return matrix;
}

RC_GTEST_PROP(Projected, TriplesAreProjectedByDefinition, ()) {
  const Documents documents = any_documents(*rc::gen::inRange<std::size_t>(1, 6));
  const Matrix rows = any_rows(kWords, 3, 5);
  const Cube expected = project(naive_triples(documents), rows);
  RC_ASSERT((symmetrised(projected_triples(documents, rows, 1)) - expected).norm() < 1e-9);
}

TEST(Projected, IsTheSameForAnyNumberOfThreads) {
  const Corpus corpus = made_up(true_topics(30, 4), 9000, 3, 1);
  const Matrix rows = any_rows(30, 6, 2);
  const int before = threads();
  set_threads(1);
  const Cube one = projected_triples(corpus.documents, rows, 1);
  set_threads(3);
  EXPECT_EQ(one, projected_triples(corpus.documents, rows, 1));
  set_threads(before);
}

TEST(Projected, ADocumentAddsATensorOfNormOneAtMost) {
  const ClippedRows clipped = clip_rows(3 * any_rows(30, 4, 3), 0.7);
  EXPECT_LE(clipped.rows.rowwise().norm().maxCoeff(), 1);
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    Documents one(30);
    std::vector<Index> words(3 + random.below(10));
    for (Index& word : words) word = static_cast<Index>(random.below(30));
    one.append(words, "");
    const Cube cube = symmetrised(projected_triples(one, clipped.rows, 1));
    EXPECT_LE(cube.norm(), 1 + 1e-12);
    const auto cells = isometric(cube);
    double norm = 0;
    for (double cell : cells) norm += cell * cell;
    EXPECT_NEAR(std::sqrt(norm), cube.norm(), 1e-12);
    EXPECT_TRUE(cube_of(cells, 4).isApprox(cube, 1e-12));
  }
}

TEST(Projected, TheBoundGrowsAsNoiseFalls) {
  const Matrix rows = any_rows(200, 4, 6);
  const Vector shares = Vector::Constant(200, 1.0 / 200);
  const double longest = rows.rowwise().norm().maxCoeff();
  EXPECT_NEAR(best_bound(rows, shares, 0), longest, 1e-12);
  EXPECT_LT(best_bound(rows, shares, 1), best_bound(rows, shares, 0.01));
}

// mechanisms 6.3: K = 2, a_k = e_k, w = (0.8, 0.2).
TEST(Estimate, TopicsComeBackFromTheirMoments) {
  const Matrix truth = true_topics(6, 3);
  const Vector weights = (Vector(3) << 0.5, 0.3, 0.2).finished();
  std::vector<double> triples(triple_cells(6));
  for_each_triple(6, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    for (int k = 0; k < 3; ++k)
      triples[cell] += orders_of(a, b, c) * weights[k] * truth(a, k) * truth(b, k) * truth(c, k);
  });
  const Matrix second = pairs_of_triples(triples, 6);
  EXPECT_TRUE(second.isApprox(Matrix(truth * weights.asDiagonal() * truth.transpose()), 1e-12));
  const Whitening whitening = whiten(second, 3, 1e-12);
  const Topics got = word_topics(whitening, decompose(project(triples, whitening.whiten), 3, {.seed = 2}));
  EXPECT_LT(component_error(got.topics, truth), 1e-6);
  Vector sorted = got.weights;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_NEAR(sorted[0], 0.2, 1e-6);
  EXPECT_NEAR(sorted[2], 0.5, 1e-6);
}

RC_GTEST_PROP(Mixture, AReplacedRowMovesMomentsByAtMostTheSensitivity, ()) {
  const auto any_row = [&] {
    Matrix row(1, 3);
    for (double& value : row.reshaped()) value = *rc::gen::inRange(-1000, 1001) / 1000.0;
    if (*rc::gen::inRange(0, 4) == 0) row.setConstant(0.577);
    return Matrix(row / std::max(1.0, row.norm()));
  };
  const Matrix one = any_row(), other = *rc::gen::arbitrary<bool>() ? any_row() : Matrix(-one);
  TopicRequest request = words_request(made_up(true_topics(3, 1), 1, 3, 1), 1);
  for (const MomentWeights& weights : {MomentWeights{1, 1, 1}, {0.4, 1, 1}, {0.1, 2, 0.1}}) {
    const auto a = weighted_moments(one, weights), b = weighted_moments(other, weights);
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    RC_ASSERT(std::sqrt(squares) <= replaced_moments(request, weights));
  }
  const auto a = low_moments(one), b = low_moments(other);
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  RC_ASSERT(std::sqrt(squares) <= replaced_low_moments(request));
}

TEST(Mixture, OppositeRowsReachTheSensitivity) {
  TopicRequest request = words_request(made_up(true_topics(3, 1), 1, 3, 1), 1);
  const Matrix row = Vector::Unit(3, 1).transpose();
  const auto a = weighted_moments(row, {1, 1, 1}), b = weighted_moments(-row, {1, 1, 1});
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  EXPECT_NEAR(std::sqrt(squares), replaced_moments(request, {1, 1, 1}), 1e-5);
}

TEST(CubeSum, RoundingIsSmallAgainstTheSensitivity) {
  EXPECT_LT(rounding_of_sums(1'000'000, 8000), 1e-3);
}

}  // namespace
}  // namespace tulle
