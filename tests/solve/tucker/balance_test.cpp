#include "tucker/balance.hpp"

#include "solve/tucker/some_tucker.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/unfold.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

const Shape kShape{6, 5, 4}, kRanks{2, 3, 2};

SparseTensor all_cells() {
  return samples::sparse(kShape, 1, 1, Unlisted::missing);
}

TEST(Balance, KeepsThePredictionsAndLowersThePenalty) {
  const Penalty penalty = samples::penalty(all_cells(), kRanks, 0.3, 2);
  const Tucker before = samples::tucker(kShape, kRanks, 3);
  Tucker after = before;
  balance(penalty, after);
  EXPECT_LT(samples::largest_difference(before, after), 1e-9);
  EXPECT_LT(penalty.of(after), penalty.of(before));
}

// After many rounds nothing is left to gain from another basis of a mode: A M and M^-1 G_(n).
TEST(Balance, EndsWhereNoOtherBasisHasASmallerPenalty) {
  const Penalty penalty = samples::penalty(all_cells(), kRanks, 0.3, 2);
  Tucker model = samples::tucker(kShape, kRanks, 3);
  for (int round = 0; round < 200; ++round) balance(penalty, model);
  for (int mode = 0; mode < 3; ++mode)
    for (double size : {1e-1, -1e-1, 1e-2, -1e-2}) {
      const auto columns = model.factors[mode].cols();
      const Eigen::MatrixXd basis =
          Matrix::Identity(columns, columns) + size * samples::matrix(columns, columns, 7);
      Tucker other = model;
      other.factors[mode] = model.factors[mode] * basis;
      other.core = fold(least_squares(basis, unfold(model.core, mode)), mode, kRanks);
      EXPECT_LT(samples::largest_difference(model, other), 1e-9);
      EXPECT_GT(penalty.of(other), penalty.of(model)) << mode;
    }
}

// W A = k U S^(1/2) and G_(n) = S^(1/2) V^T / k with k^4 = core_ridge: in the mode that is balanced last the
// two parts of the penalty are the same.
TEST(Balance, SharesThePenaltyEquallyBetweenTheLastFactorAndTheCore) {
  Penalty penalty = samples::penalty(all_cells(), kRanks, 0.3, 2);
  penalty.cell_ridge[2].setConstant(0.01);  // rows weigh 0.3 + 0.01 * 30 cells
  Tucker model = samples::tucker(kShape, kRanks, 3);
  balance(penalty, model);
  const Eigen::Map<const Vector> core(model.core.values().data(),
                                      static_cast<Eigen::Index>(model.core.size()));
  EXPECT_NEAR(0.6 * model.factors[2].squaredNorm(), 2 * core.squaredNorm(), 1e-9);
}

TEST(Balance, WithoutARidgeOnBothDoesNothing) {
  const Tucker before = samples::tucker(kShape, kRanks, 3);
  for (const auto& [row_ridge, core_ridge] : {std::pair(0.0, 1.0), std::pair(1.0, 0.0)}) {
    Tucker after = before;
    balance(samples::penalty(all_cells(), kRanks, row_ridge, core_ridge), after);
    EXPECT_EQ(after.core, before.core);
    EXPECT_EQ(after.factors, before.factors);
  }
}

}  // namespace
}  // namespace tulle
