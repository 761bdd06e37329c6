#include <tulle/solve/offsets.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// A full matrix of 10 + row + column effects: each mode's offsets explain all that the other leaves.
SparseTensor additive(const Vector& rows, const Vector& columns) {
  SparseTensor cells(
      Shape{static_cast<std::uint64_t>(rows.size()), static_cast<std::uint64_t>(columns.size())},
      Unlisted::missing);
  for (Index i = 0; i < rows.size(); ++i)
    for (Index j = 0; j < columns.size(); ++j)
      cells.append(std::array<Index, 2>{i, j}, static_cast<float>(10 + rows[i] + columns[j]));
  return cells;
}

TEST(Offsets, OfAnAdditiveTableAreItsEffects) {
  const Vector rows = (Vector(4) << -3, -1, 1, 3).finished(), columns = (Vector(3) << -2, 0, 2).finished();
  const OffsetPrior prior = estimate_offsets(additive(rows, columns), 1);
  EXPECT_NEAR(prior.start.global, 10, 1e-9);
  EXPECT_LT((prior.start.offsets[0] - rows).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((prior.start.offsets[1] - columns).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Offsets, AreOfTheValuesDividedByTheScale) {
  const Vector rows = (Vector(4) << -3, -1, 1, 3).finished(), columns = (Vector(3) << -2, 0, 2).finished();
  const OffsetPrior one = estimate_offsets(additive(rows, columns), 1),
                    four = estimate_offsets(additive(rows, columns), 4);
  EXPECT_DOUBLE_EQ(one.start.global, 4 * four.start.global);
  EXPECT_LT((one.start.offsets[0] - 4 * four.start.offsets[0]).cwiseAbs().maxCoeff(), 1e-6);
}

// Two rows of 2 cells with means of -1 and 1 and deviations of 1: the variance within is 4 / (4 - 2) = 2,
// that between (4 - (2 - 1) 2) / (4 - 8 / 4) = 1. So the ridge is 2, and offsets of 2 cells are halved. The
// other mode has one position, which leaves its offset at 0.
TEST(Offsets, AreShrunkByTheVarianceWithinOverThatBetween) {
  const SparseTensor cells(Cells(Shape{2, 1}, {{0, 0, 1, 1}, {0, 0, 0, 0}}), {-2, 0, 0, 2},
                           Unlisted::missing);
  const OffsetPrior prior = estimate_offsets(cells, 1);
  EXPECT_NEAR(prior.ridge[0], 2, 1e-12);
  EXPECT_NEAR(prior.start.offsets[0][0], -0.5, 1e-12);
  EXPECT_NEAR(prior.start.offsets[0][1], 0.5, 1e-12);
  EXPECT_NEAR(prior.start.offsets[1][0], 0, 1e-12);
}

TEST(Offsets, OfAModeThatDoesNotMatterAreRemoved) {
  SparseTensor cells(Shape{2, 50}, Unlisted::missing);  // both rows have the same mean
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 50; ++j) cells.append(std::array<Index, 2>{i, j}, (i + j) % 2 == 0 ? 1.0f : -1.0f);
  const OffsetPrior prior = estimate_offsets(cells, 1);
  EXPECT_EQ(prior.ridge[0], 1e6);
  EXPECT_LT(prior.start.offsets[0].cwiseAbs().maxCoeff(), 1e-4);
}

}  // namespace
}  // namespace tulle
