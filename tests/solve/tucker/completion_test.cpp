#include "tucker/completion.hpp"

#include "solve/tucker/some_tucker.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

const Shape kSizes{5, 4, 3}, kCoreSizes{2, 3, 1};

Tucker with_offsets() {
  Tucker model = samples::tucker(kSizes, kCoreSizes, 2);
  model.biases.global = 4;
  for (int mode = 0; mode < 3; ++mode)
    model.biases.offsets.push_back(samples::matrix(kSizes[mode], 1, 30 + mode).col(0));
  return model;
}

// The definition in completion.hpp, term by term.
TEST(Penalty, IsTheWeightedSumOfSquares) {
  const SparseTensor cells = samples::sparse(kSizes, 0.5, 1, Unlisted::missing);
  Penalty penalty = samples::penalty(cells, kCoreSizes, 0.3, 0.7);
  penalty.core_cell_ridge = Vector::LinSpaced(6, 0.01, 0.06);
  penalty.offset_ridge = {1, 2, 3};
  for (Vector& ridge : penalty.cell_ridge) ridge = Vector::LinSpaced(ridge.size(), 0.1, 0.2);
  const Tucker model = with_offsets();
  double expected = 0;
  for (int mode = 0; mode < 3; ++mode) {
    for (Index i = 0; i < kSizes[mode]; ++i)
      for (Index p = 0; p < kCoreSizes[mode]; ++p) {
        const double ridge = 0.3 + penalty.counts[mode][i] * penalty.cell_ridge[mode][p];
        EXPECT_DOUBLE_EQ(penalty.of_row(mode, i)[p], ridge);
        expected += ridge * std::pow(model.factors[mode](i, p), 2);
      }
    expected += penalty.offset_ridge[mode] * model.biases.offsets[mode].squaredNorm();
  }
  for (std::size_t j = 0; j < 6; ++j)
    expected += (0.7 + static_cast<double>(cells.size()) * 0.01 * static_cast<double>(j + 1)) *
                std::pow(model.core.values()[j], 2);
  EXPECT_NEAR(penalty.of(model), expected, 1e-12 * expected);
}

TEST(ScaledTucker, PredictsTheScaledValues) {
  const Tucker model = with_offsets(), unscaled = ScaledTucker{model, 2.5}.unscaled();
  const DenseTensor one = model.reconstruct(), other = unscaled.reconstruct();
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(other.values()[i], 2.5 * one.values()[i], 1e-12);
}

// Records the penalties it is given and halves the core.
struct Halving : CompletionSteps {
  void pass(int number, bool exploring, const Penalty& penalty, ScaledTucker& fit) override {
    EXPECT_EQ(number, passes++);
    EXPECT_FALSE(exploring) << "a ridge that is given is not learnt";
    ridge = penalty.row_ridge[0];
    for (double& value : fit.model.core.values()) value /= 2;
    unseen = fit.model.factors[0].row(4);
  }
  double squares(const ScaledTucker&) const override { return 1.0 / passes; }
  int exploring_passes() const override { return 3; }
  std::size_t look_back() const override { return 1; }

  int passes = 0;
  double ridge = 0;
  Vector unseen;
};

TEST(RunCompletion, TakesPassesUnderTheGivenRidgeAndLeavesUnseenRowsAtZero) {
  const SparseTensor cells(Cells(kSizes, {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 0}}), {1, 2, 4, 3},
                           Unlisted::missing);
  const std::vector<int> ranks = {1, 1, 1};
  Control control;
  control.max_iterations = 4;
  control.tolerance = 0;
  Halving steps;
  const Fit<Tucker> fit = run_completion({.observed = cells,
                                          .validation = nullptr,
                                          .ranks = ranks,
                                          .ridge = 0.3,
                                          .core_ridge = 0.2,
                                          .per_cell = false,
                                          .biases = false,
                                          .scale = 0,
                                          .start = Start::random,
                                          .control = control,
                                          .patience = 1},
                                         steps);
  EXPECT_EQ(steps.passes, 4);
  EXPECT_EQ(fit.history.size(), 4u);
  EXPECT_EQ(steps.ridge, 0.3);
  EXPECT_TRUE(steps.unseen.isZero(0));
}

}  // namespace
}  // namespace tulle
