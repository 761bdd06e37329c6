#include "estimate/count_priors.hpp"

#include "made_counts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <vector>

namespace tulle {
namespace {

std::vector<CountPrior> priors(const SparseTensor& released, double alpha, int rank) {
  return priors_by_moments(released, std::vector(released.size(), alpha),
                           ModelLayout::cp(released.shape(), rank), 0.25, 100);
}

// With many rows the moments are those of the prior, whatever the noise: shapes of 2 and means of 5 / 3. Of
// 400 x 300 cells with seed 1 the estimates are within a quarter.
TEST(PriorsByMoments, AreThoseOfTheData) {
  for (double alpha : {0.0, 0.8}) {
    const auto made = testing::make_counts(Shape{400, 300}, {2, 1.2}, 2, alpha, 1);
    for (const CountPrior& prior : priors(made.noisy, alpha, 2)) {
      EXPECT_NEAR(prior.shape, 2, 0.5) << alpha;
      EXPECT_NEAR(prior.mean(), 5.0 / 3, 0.1) << alpha;
    }
  }
}

SparseTensor full(const Shape& shape, float (*value)(Index row, Index column)) {
  SparseTensor tensor(shape, Unlisted::missing);
  for (Index row = 0; row < shape[0]; ++row)
    for (Index column = 0; column < shape[1]; ++column)
      tensor.append(std::array{row, column}, value(row, column));
  return tensor;
}

TEST(PriorsByMoments, AreSharpWhereRowsDoNotDiffer) {
  for (const CountPrior& prior : priors(full({3, 2}, [](Index, Index) { return 4.0F; }), 0, 1)) {
    EXPECT_DOUBLE_EQ(prior.shape, 1000);
    EXPECT_NEAR(prior.mean(), 2, 1e-9);
  }
  EXPECT_DOUBLE_EQ(priors(SparseTensor(Shape{3, 2}, Unlisted::missing), 0.5, 1)[0].shape, 1000);
}

// What was released may have a mean that no counts have: without noise it is moved to the bound, with some it
// is what noise may have moved there.
TEST(PriorsByMoments, HaveAMeanThatCountsCanHave) {
  const SparseTensor below = full({3, 2}, [](Index, Index) { return -4.0F; });
  EXPECT_DOUBLE_EQ(priors(below, 0, 1)[0].mean(), 0.5);
  EXPECT_GT(priors(below, 0.5, 1)[0].mean(), 0.55);
  EXPECT_LT(priors(below, 0.5, 1)[0].mean(), 1);
}

// Two groups of rows that prefer other columns, 8 to 1, have the same means. Mean 4.5, variance 12.25 of
// which 4.5 is that of counts: (1 + spread)^2 - 1 = 2 * 7.75 / 4.5^2, less what chance may have added.
TEST(PriorsByMoments, LeaveRoomForRowsThatDifferInTheirColumns) {
  const SparseTensor groups =
      full({60, 40}, [](Index row, Index column) { return row % 2 == column % 2 ? 8.0F : 1.0F; });
  for (const CountPrior& prior : priors(groups, 0, 2)) EXPECT_NEAR(1 / prior.shape, 0.3286, 0.001);
}

// Cells without noise are as good as alone beside as many that are all noise.
TEST(PriorsByMoments, AreThoseOfTheCellsWithTheLeastNoise) {
  const Shape shape{40, 30};
  const auto exact = testing::make_counts(shape, {2, 1.2}, 2, 0, 1),
             noisy = testing::make_counts(shape, {2, 1.2}, 2, 0.999, 2);
  SparseTensor both(Shape{80, 30}, Unlisted::missing);
  std::vector<double> alphas;
  for (const auto& [made, first, alpha] : {std::tuple{&exact, Index{0}, 0.0}, {&noisy, Index{40}, 0.999}})
    for (std::size_t entry = 0; entry < made->noisy.size(); ++entry) {
      const auto cell = made->noisy.cells().cell(entry);
      both.append(std::array{cell[0] + first, cell[1]}, made->noisy.values()[entry]);
      alphas.push_back(alpha);
    }
  const auto together = priors_by_moments(both, alphas, ModelLayout::cp(both.shape(), 2), 0.25, 100);
  const auto alone = priors(exact.noisy, 0, 2);
  for (std::size_t mode = 0; mode < 2; ++mode) {
    EXPECT_NEAR(together[mode].shape, alone[mode].shape, 0.01 * alone[mode].shape);
    EXPECT_NEAR(together[mode].mean(), alone[mode].mean(), 0.01 * alone[mode].mean());
  }
}

}  // namespace
}  // namespace tulle
