#include "solve/topics/some_topics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using samples::shaken;
using samples::some_topics;

std::vector<double> expected_triples(const Topics& model, double documents) {
  const auto words = static_cast<std::size_t>(model.topics.rows());
  std::vector<double> counts(triple_cells(words));
  for_each_triple(words, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    for (int k = 0; k < model.count(); ++k)
      counts[cell] += documents * orders_of(a, b, c) * model.weights[k] * model.topics(a, k) *
                      model.topics(b, k) * model.topics(c, k);
  });
  return counts;
}

TEST(Refine, TheTruthStaysWhereItIs) {
  const Topics truth = some_topics(8, 3, 1);
  const auto counts = expected_triples(truth, 1e5);
  const Topics got = refine(truth, TripleCounts{counts, 1e5, 4});
  EXPECT_LT((got.topics - truth.topics).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((got.weights - truth.weights).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Refine, LeadsBackToTheTruth) {
  const Topics truth = some_topics(8, 3, 2), start = shaken(truth, 5);
  const auto counts = expected_triples(truth, 1e5);
  const Topics got = refine(start, TripleCounts{counts, 1e5, 4}, {.max_iterations = 3000, .tolerance = 1e-9});
  EXPECT_LT((got.topics - truth.topics).norm(), 0.02 * (start.topics - truth.topics).norm());
}

TEST(Refine, IsTheSameForAnyNumberOfThreads) {
  const Topics truth = some_topics(80, 4, 3);  // enough words for several chunks
  const auto counts = expected_triples(truth, 1e5);
  const auto run = [&](int threads) {
    const int before = tulle::threads();
    set_threads(threads);
    const Topics got = refine(shaken(truth, 6), TripleCounts{counts, 1e5, 1}, {.max_iterations = 5});
    set_threads(before);
    return got;
  };
  const Topics one = run(1), four = run(4);
  EXPECT_EQ(one.topics, four.topics);
  EXPECT_EQ(one.weights, four.weights);
}

TEST(Refine, NegativeCountsAndZerosAreNoTrouble) {
  const Topics start = some_topics(5, 2, 4);
  const std::vector<double> counts(triple_cells(5), -3);
  const Topics got = refine(start, TripleCounts{counts, 100, 9});
  EXPECT_TRUE(got.topics.allFinite());
  EXPECT_NEAR(got.topics.col(1).sum(), 1, 1e-9);
  EXPECT_NEAR(got.weights.sum(), 1, 1e-9);
  EXPECT_THROW(refine(start, TripleCounts{std::span(counts).first(3), 100, 9}), Error);
}

}  // namespace
}  // namespace tulle
