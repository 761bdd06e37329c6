#include "topics/estimate.hpp"

#include "method/topics/any_documents.hpp"
#include "method/topics/samples.hpp"
#include "topics/word_moments.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using namespace testing;

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

int topics_of(const Matrix& counts, double deviation, int most) {
  const Vector shares = Vector::Constant(counts.rows(), 1 / static_cast<double>(counts.rows()));
  return topics_above_noise({counts, deviation, shares}, most).count;
}

// Noise of standard deviation 1 off the diagonal and 2 on it. It shows a topic once in 20 times: of 100
// draws, 15 or more have a chance of 1e-4 (seed fixed).
TEST(Estimate, NoiseShowsNoTopics) {
  for (const Eigen::Index size : {3, 10, 60}) {
    int shown = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      Random random(seed);
      Matrix noise(size, size);
      for (Eigen::Index a = 0; a < size; ++a)
        for (Eigen::Index b = 0; b <= a; ++b) noise(a, b) = noise(b, a) = random.normal() * (a == b ? 2 : 1);
      if (topics_of(noise, 1, 3) > 0) ++shown;
    }
    EXPECT_LT(shown, 15) << size;
  }
}

struct Drawn {
  Index words;
  std::size_t documents, length;
};

// Documents of one topic, counted without noise. At most once in 20 times they show a second one: of 100
// draws, 15 or more have a chance of 1e-4 (seed fixed).
TEST(Estimate, SamplingNoiseShowsNoTopics) {
  for (const auto& [words, documents, length] :
       {Drawn{30, 500, 3}, {30, 20'000, 3}, {30, 500, 30}, {100, 1000, 3}, {100, 300, 60}}) {
    const Matrix topic = true_topics(words, 1);
    int shown = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const Corpus corpus = made_up(topic, documents, length, seed);
      const Matrix counts = matrix_of_cells(pair_counts(corpus.documents, documents, 1), words);
      if (topics_above_noise({counts, 0, topic.col(0)}, 5).count > 1) ++shown;
    }
    EXPECT_LT(shown, 15) << words << " words, " << documents << " documents of " << length;
  }
}

// Long documents have less sampling noise, which the counts themselves say: pairs of 300 documents of 60
// words show what 300 pairs cannot.
TEST(Estimate, LongDocumentsShowTopicsThatShortOnesDoNot) {
  const Matrix truth = true_topics(100, 3);
  const Vector shares = truth.rowwise().mean();
  const auto shown = [&](std::size_t length) {
    const Corpus corpus = made_up(truth, 300, length, 1);
    return topics_above_noise({matrix_of_cells(pair_counts(corpus.documents, 300, 1), 100), 0, shares}, 8)
        .count;
  };
  EXPECT_EQ(shown(60), 3);
  EXPECT_EQ(shown(2), 1);
}

TEST(Estimate, TopicsAboveTheNoiseAreCounted) {
  const Matrix truth = true_topics(40, 3);
  EXPECT_EQ(topics_of(1e4 * truth * truth.transpose(), 0.1, 5), 3);
  EXPECT_EQ(topics_of(1e4 * truth * truth.transpose(), 0.1, 2), 2);
  EXPECT_EQ(topics_of(1e4 * truth * truth.transpose(), 1e5, 5), 0);
}

// What the topics explain is nearer to the expected counts than what was counted.
TEST(Estimate, PairsAboveTheNoiseHaveLessOfIt) {
  const Matrix truth = true_topics(60, 3);
  const Vector shares = truth.rowwise().mean();
  const Matrix expected = 2000. / 3 * truth * truth.transpose();
  Matrix counts = expected;
  Random random(1);
  for (Eigen::Index a = 0; a < 60; ++a)
    for (Eigen::Index b = 0; b <= a; ++b) {
      counts(a, b) += random.normal() * (a == b ? 2 : 1);
      counts(b, a) = counts(a, b);
    }
  const ShownTopics shown = topics_above_noise({counts, 1, shares}, 10);
  EXPECT_EQ(shown.count, 3);
  EXPECT_LT((shown.pairs - expected).norm(), (counts - expected).norm() / 3);
}

TEST(Estimate, OneTopicIsTheSharesOfWords) {
  const Vector shares = Vector::Constant(4, 0.25);
  const Topics none = filled_up({shares, Vector::Ones(1)}, 2, shares);
  EXPECT_EQ(none.stands_out, (std::vector<bool>{false, false}));
  EXPECT_EQ(none.weights, Vector::Constant(2, 0.5));
  const Topics two = filled_up({Matrix::Identity(4, 2), Vector::Constant(2, 0.5)}, 3, shares);
  EXPECT_EQ(two.stands_out, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(two.topics.col(2), shares);
  EXPECT_EQ(two.weights[2], 0);
}

// A pair of different words stands for two entries of the matrix.
TEST(Estimate, CellsOfPairsFillASymmetricMatrix) {
  std::vector<double> pairs(pair_cells(2));
  pairs[pair_cell(0, 0)] = 3;
  pairs[pair_cell(0, 1)] = 4;
  const Matrix matrix = matrix_of_cells(pairs, 2);
  EXPECT_EQ(matrix(0, 0), 3);
  EXPECT_EQ(matrix(0, 1), 2);
  EXPECT_EQ(matrix(1, 0), 2);
  EXPECT_EQ(matrix.sum(), 7);
}

TEST(Estimate, ProjectionIsTheSumOverAllEntries) {
  const Matrix whiten = any_rows(kWords, 2, 3);
  std::vector<double> triples(triple_cells(kWords));
  Random random(4);
  for (double& cell : triples) cell = random.uniform();
  Cube expected = Cube::Zero(2, 4);
  for_each_triple(kWords, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    std::array<std::size_t, 3> order = {a, b, c};
    do {
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          for (int k = 0; k < 2; ++k)
            expected(i, 2 * j + k) += triples[cell] / orders_of(a, b, c) * whiten(order[0], i) *
                                      whiten(order[1], j) * whiten(order[2], k);
    } while (std::ranges::next_permutation(order).found);
  });
  EXPECT_TRUE(project(triples, whiten).isApprox(expected, 1e-12));
}

// Variance of an entry of the matrix of pairs off the diagonal, when every triple has variance 1.
TEST(Estimate, NoiseOfPairsIsThatOfTheirTriples) {
  for (const Index size : {Index{2}, Index{3}, Index{7}}) {
    double variance = 0;
    for (std::size_t cell = 0; cell < triple_cells(size); ++cell) {
      std::vector<double> triples(triple_cells(size));
      triples[cell] = 1;
      variance += std::pow(pairs_of_triples(triples, size)(0, 1), 2);
    }
    EXPECT_NEAR(pair_deviation(size), std::sqrt(variance), 1e-12) << size;
  }
  EXPECT_EQ(noise_edge(0.5, 16, 1), 4);
  EXPECT_GT(noise_edge(0, 16, 1), 0);
}

// A column that is no distribution becomes the nearest one; weights are 1 / lambda^2, made to sum up to 1.
TEST(Estimate, TopicsAreDistributions) {
  const Whitening whitening{Matrix::Identity(3, 2), Matrix::Identity(3, 2), Vector::Ones(2)};
  const RankOneTerms terms{(Vector(2) << 1, 2).finished(), Matrix::Identity(2, 2)};
  const Topics model = word_topics(whitening, terms);
  EXPECT_NEAR(model.weights[0], 0.8, 1e-12);
  EXPECT_NEAR(model.weights[1], 0.2, 1e-12);
  EXPECT_NEAR(model.topics.col(1).sum(), 1, 1e-12);
  EXPECT_EQ(model.topics.minCoeff(), 0);
  EXPECT_NEAR(unwhitened(whitening, terms).topics(1, 1), 2, 1e-12);
}

}  // namespace
}  // namespace tulle
