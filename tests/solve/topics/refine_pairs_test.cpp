#include "solve/topics/some_topics.hpp"

#include <tulle/solve/topics/refine_pairs.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using samples::shaken;
using samples::some_topics;

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

// With nothing counted, a topic is what it is expected to be.
TEST(RefinePairs, NearTheSharesThatAreExpectedWhereNoiseHidesAllElse) {
  const Topics start = some_topics(20, 2, 3);
  const Vector shares = start.topics * start.weights;
  const Matrix counts = 100 * shares * shares.transpose();
  const PairCounts hidden{counts, 1e12, WordPrior{shares, 10}};
  const Topics model = refine(start, hidden);
  EXPECT_LT((model.topics.colwise() - shares).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT(misfit(model, hidden), misfit(start, hidden));
}

TEST(RefinePairs, MakesTheMisfitSmall) {
  const Topics truth = some_topics(600, 3, 7), start = shaken(truth, 8);
  const Matrix counts = 1e6 * truth.topics * truth.weights.asDiagonal() * truth.topics.transpose();
  const PairCounts data{counts, 1};
  EXPECT_NEAR(misfit(truth, data), 0, 1e-6);
  EXPECT_LT(misfit(refine(start, data), data), 0.1 * misfit(start, data));
}

}  // namespace
}  // namespace tulle
