#include "cp/completion.hpp"

#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

const Shape kShape{4, 3, 2};

SparseTensor some_cells() {
  return samples::sparse(kShape, 0.9, 1, Unlisted::missing);
}

CompletionState begun(const SparseTensor& cells, bool biases, Start start = Start::random) {
  return begin_completion(cells, nullptr, 2, 0.1, biases, start, 5);
}

Cp some_model() {
  Cp model{(Vector(2) << 3, -2).finished(), {}, {.global = 7, .offsets = {}}};
  for (int mode = 0; mode < 3; ++mode) {
    model.factors.push_back(samples::matrix(kShape[mode], 2, 10 + mode));
    model.biases.offsets.push_back(samples::matrix(kShape[mode], 1, 20 + mode).col(0));
  }
  return model;
}

// Whatever the level and the scale of the data, and with a weight below zero.
TEST(CompletionState, FromAModelPredictsWhatTheModelDoes) {
  CompletionState state = begun(some_cells(), true);
  start_from(some_model(), {1}, state);
  EXPECT_LT(
      samples::largest_difference(state.model().reconstruct().values(), some_model().reconstruct().values()),
      1e-12);
  EXPECT_EQ(state.fitted, (std::vector<int>{0, 2}));
}

TEST(CompletionState, GivesItsErrorInTheUnitOfTheData) {
  const SparseTensor cells = some_cells();
  const CompletionState state = begun(cells, true);
  const auto predicted = state.model().predict(cells.cells());
  double square = 0;
  for (std::size_t e = 0; e < cells.size(); ++e) square += std::pow(cells.values()[e] - predicted[e], 2);
  EXPECT_NEAR(state.rmse(&cells), std::sqrt(square / static_cast<double>(cells.size())), 1e-12);
}

TEST(CompletionState, WithoutBiasesHasNoLevel) {
  const CompletionState state = begun(some_cells(), false);
  EXPECT_EQ(state.level, 0);
  EXPECT_TRUE(state.model().biases.empty());
}

TEST(CompletionState, StartsWithZerosWhereNoCellIsObserved) {
  const SparseTensor cells(Cells(kShape, {{0, 2, 3}, {0, 1, 2}, {0, 1, 0}}), {1, 2, 4}, Unlisted::missing);
  for (const Start start : {Start::random, Start::spectral}) {
    const CompletionState state = begun(cells, true, start);
    EXPECT_TRUE(state.factors[0].matrix().row(1).isZero(0));
    EXPECT_FALSE(state.factors[0].matrix().row(2).isZero(0));
  }
}

TEST(CompletionState, IsNotBegunForWhatCannotBeFitted) {
  const SparseTensor cells = some_cells();
  EXPECT_THROW(begin_completion(cells, nullptr, 0, 0, true, Start::random, 1), UsageError);
  EXPECT_THROW(begin_completion(cells, nullptr, 1, -1, true, Start::random, 1), UsageError);
}

// In standardised units factors are smaller by scale^(1/3) each and offsets by the scale: the objective
// divided by scale^2 has the ridge scale^(2/3) / scale^2 on the former and the ridge itself on the latter.
TEST(FixedPrior, IsTheRidgeInTheUnitOfTheData) {
  CompletionState state = begun(some_cells(), true);
  state.scale = 8;
  const Vector ridge = fixed_prior(state, 0.5).ridge(1);
  ASSERT_EQ(ridge.size(), 3);
  EXPECT_NEAR(ridge[0], 0.5 * 4 / 64, 1e-15);
  EXPECT_NEAR(ridge[2], 0.5, 1e-15);
}

TEST(WeakPrior, IsThePrecisionOfRowsAndOneForOffsets) {
  const Vector ridge = weak_prior(begun(some_cells(), true), 0.25).ridge(0);
  EXPECT_EQ(ridge, (Vector(3) << 0.25, 0.25, 1).finished());
}

}  // namespace
}  // namespace tulle
