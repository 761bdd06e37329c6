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

}  // namespace
}  // namespace tulle
