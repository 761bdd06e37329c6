#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/solve/topics/refine_mixture.hpp>
#include <tulle/solve/topics/refine_pairs.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Topics some_topics(Eigen::Index words, Eigen::Index count, std::uint64_t seed) {
  Random random(seed);
  Topics model{Matrix(words, count), Vector::LinSpaced(count, 1, 2), 0};
  for (double& value : model.topics.reshaped()) value = std::pow(random.uniform(), 3);
  model.topics *= Vector(model.topics.colwise().sum()).cwiseInverse().asDiagonal();
  model.weights /= model.weights.sum();
  return model;
}

Topics shaken(Topics model, std::uint64_t seed) {
  Random random(seed);
  for (double& value : model.topics.reshaped()) value *= 0.7 + 0.6 * random.uniform();
  model.topics *= Vector(model.topics.colwise().sum()).cwiseInverse().asDiagonal();
  return model;
}

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

TEST(RefinePairs, FitsPairsBetterAndKeepsTheTruth) {
  const Topics truth = some_topics(30, 3, 7);
  const Matrix counts = 1e6 * truth.topics * truth.weights.asDiagonal() * truth.topics.transpose();
  const auto misfit = [&](const Topics& model) {
    return (1e6 * model.topics * model.weights.asDiagonal() * model.topics.transpose() - counts).norm();
  };
  EXPECT_LT((refine(truth, PairCounts{counts, 1}).topics - truth.topics).cwiseAbs().maxCoeff(), 1e-6);
  const Topics start = shaken(truth, 8);
  EXPECT_LT(misfit(refine(start, PairCounts{counts, 1})), 0.1 * misfit(start));
}

std::vector<double> moments_of(const Topics& mixture) {
  const auto size = static_cast<std::size_t>(mixture.topics.rows());
  std::vector<double> result;
  const Vector mean = mixture.topics * mixture.weights;
  result.assign(mean.begin(), mean.end());
  const double s = mixture.variance;
  for_each_pair(size, [&](std::size_t, std::size_t a, std::size_t b) {
    double moment = a == b ? s : 0;
    for (int k = 0; k < mixture.count(); ++k)
      moment += mixture.weights[k] * mixture.topics(a, k) * mixture.topics(b, k);
    result.push_back(std::sqrt(orders_of(a, b)) * moment);
  });
  for_each_triple(size, [&](std::size_t, std::size_t a, std::size_t b, std::size_t c) {
    double moment = s * ((b == c ? mean[a] : 0) + (a == c ? mean[b] : 0) + (a == b ? mean[c] : 0));
    for (int k = 0; k < mixture.count(); ++k)
      moment += mixture.weights[k] * mixture.topics(a, k) * mixture.topics(b, k) * mixture.topics(c, k);
    result.push_back(std::sqrt(orders_of(a, b, c)) * moment);
  });
  return result;
}

TEST(RefineMixture, LeadsBackToTheTruth) {
  Random random(9);
  Topics truth{Matrix(5, 3), (Vector(3) << 0.5, 0.3, 0.2).finished(), 0.04};
  for (double& value : truth.topics.reshaped()) value = random.normal() / 2;
  const std::vector<double> moments = moments_of(truth);
  Topics start = truth;
  for (double& value : start.topics.reshaped()) value += 0.05 * random.normal();
  start.weights = Vector::Constant(3, 1.0 / 3);
  start.variance = 0.06;
  for (double third : {1.0, 0.3}) {
    const Topics got = refine(start, MixtureMoments{moments, {1, 1, third}});
    EXPECT_LT((got.topics - truth.topics).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((got.weights - truth.weights).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_NEAR(got.variance, 0.04, 1e-6);
  }
  EXPECT_THROW(refine(start, MixtureMoments{std::span(moments).first(4)}), Error);
}

}  // namespace
}  // namespace tulle
