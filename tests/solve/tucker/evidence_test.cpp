#include "tucker/evidence.hpp"

#include "solve/tucker/some_tucker.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

const Shape kTensorShape{7, 6, 5}, kCoreShape{2, 3, 2};

// What is learnt depends on how many cells a position has, not on their values.
struct Learnt {
  SparseTensor cells = samples::sparse(kTensorShape, 0.6, 1, Unlisted::missing);
  Penalty penalty = samples::penalty(cells, kCoreShape, 0, 0);
  Tucker model = samples::tucker(kTensorShape, kCoreShape, 2);
  Evidence evidence{penalty};
};

// Rows have covariance 1 / P; every position of these modes is observed.
TEST(Evidence, ExploringStandardisesTheRowsAndKeepsThePredictions) {
  Learnt learnt;
  const Tucker before = learnt.model;
  learnt.evidence.explore(30, learnt.model, learnt.penalty);
  EXPECT_LT(samples::largest_difference(before, learnt.model), 1e-9);
  for (int mode = 0; mode < 3; ++mode) {
    const Matrix& factor = learnt.model.factors[mode];
    const Matrix covariance = factor.transpose() * factor / static_cast<double>(factor.rows());
    EXPECT_TRUE((covariance * static_cast<double>(factor.cols())).isIdentity(1e-6)) << mode;
  }
}

// What the model leaves over is the noise, and the ridge on a row of variance 1 / P is P times that. Nothing
// is uncertain yet, so that no cell adds to a ridge.
TEST(Evidence, ExploringTakesTheNoiseFromTheSquaresThatAreLeft) {
  Learnt learnt;
  learnt.evidence.explore(30, learnt.model, learnt.penalty);
  EXPECT_DOUBLE_EQ(learnt.evidence.noise(), 30 / static_cast<double>(learnt.cells.size()));
  for (int mode = 0; mode < 3; ++mode) {
    EXPECT_DOUBLE_EQ(learnt.penalty.row_ridge[mode], kCoreShape[mode] * learnt.evidence.noise());
    EXPECT_LT(learnt.penalty.cell_ridge[mode].maxCoeff(), 1e-12);
  }
  double square = 0;
  for (double value : learnt.model.core.values()) square += value * value;
  EXPECT_NEAR(learnt.penalty.core_ridge, learnt.evidence.noise() * 12 / square, 1e-9);
}

TEST(Evidence, LearningKeepsThePredictionsAndAddsWhatIsUncertain) {
  Learnt learnt;
  learnt.evidence.explore(30, learnt.model, learnt.penalty);
  const double noise = learnt.evidence.noise();
  const Tucker before = learnt.model;
  learnt.evidence.learn(30, learnt.model, learnt.penalty);
  EXPECT_LT(samples::largest_difference(before, learnt.model), 1e-9);
  EXPECT_GT(learnt.evidence.noise(), noise) << "parameters that are not known exactly were counted as errors";
  for (int mode = 0; mode < 3; ++mode) EXPECT_GT(learnt.penalty.cell_ridge[mode].minCoeff(), 0) << mode;
  EXPECT_GT(learnt.penalty.core_cell_ridge.minCoeff(), 0);
}

// Without noise every parameter is spent; under much of it, none.
TEST(Evidence, FreedomLiesBetweenNoneAndAllOfTheParameters) {
  const double parameters = 7 * 2 + 6 * 3 + 5 * 2 + 2 * 3 * 2;
  const auto freedom = [](double squares) {
    Learnt learnt;
    for (int step = 0; step < 3; ++step) learnt.evidence.explore(squares, learnt.model, learnt.penalty);
    return learnt.evidence.freedom(learnt.model, learnt.penalty);
  };
  EXPECT_NEAR(freedom(1e-9), parameters, 1e-3);
  EXPECT_LT(freedom(30), parameters);
  EXPECT_GT(freedom(30), freedom(3000));
  EXPECT_LT(freedom(1e9), 0.01);
}

}  // namespace
}  // namespace tulle
