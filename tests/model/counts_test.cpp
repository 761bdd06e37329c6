#include <tulle/base/error.hpp>
#include <tulle/model/model.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

// Counts 0 to 5, whose cells alone have errors, of variance 4.
Counts counts_of_six_cells() {
  const Shape shape{2, 3};
  return {DenseTensor(shape, {0, 1, 2, 3, 4, 5}), {{0}, {0, 0}, {0, 0, 0}, {4, 4, 4, 4, 4, 4}}};
}

TEST(Counts, AreATensorOfTheirCells) {
  const Model model = counts_of_six_cells();
  EXPECT_EQ(kind(model), ModelKind::counts);
  EXPECT_EQ(shape(model).text(), "2x3");
  Cells cells(Shape{2, 3});
  cells.append(std::array<Index, 2>{1, 2});
  EXPECT_EQ(predict(model, cells), std::vector<double>{5});
  EXPECT_EQ(reconstruct(model).values()[4], 4);
}

TEST(Counts, SumsAreThoseOfTheirCells) {
  const Counts model = counts_of_six_cells();
  EXPECT_EQ(model.sum({{}, {}}).mean, 15);
  EXPECT_EQ(model.sum({{1}, {0, 2}}).mean, 8);
  EXPECT_EQ(model.sum({{0}, {1}}).mean, 1);
}

// A block of all positions of a mode has no errors of how these are divided. One row has 12 of 15 events and
// one column 5: of a cell of both, (1 - 12/15) (1 - 5/15) of its variance is seen.
TEST(Counts, ErrorsOfCellsAreSeenAsFarAsABlockDoesNotHaveAllOfAMode) {
  const Counts model = counts_of_six_cells();
  EXPECT_EQ(model.sum({{}, {}}).stddev, 0);
  EXPECT_EQ(model.sum({{1}, {}}).stddev, 0);
  EXPECT_NEAR(model.sum({{1}, {1}}).stddev, std::sqrt(4 * (1 - 12.0 / 15) * (1 - 5.0 / 15)), 1e-12);
}

// Of the row, as far as the column has a share of all events.
TEST(Counts, ErrorsOfATableAreSeenByTheShareOfABlock) {
  Counts model = counts_of_six_cells();
  model.variances = {{0}, {9, 9}, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  EXPECT_NEAR(model.sum({{1}, {}}).stddev, std::sqrt(9 * (1 - 12.0 / 15)), 1e-12);
  EXPECT_NEAR(model.sum({{1}, {1}}).stddev, std::sqrt(9 * (1 - 12.0 / 15)) * 5 / 15, 1e-12);
  model.variances = {{25}, {0, 0}, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  EXPECT_NEAR(model.sum({{}, {}}).stddev, 5, 1e-12);
  EXPECT_NEAR(model.sum({{}, {1}}).stddev, 5.0 * 5 / 15, 1e-12);
}

TEST(Counts, ABlockHasEachOfItsPositionsOnce) {
  const Counts model = counts_of_six_cells();
  EXPECT_THROW(model.sum({{1, 1}, {}}), Error);
  EXPECT_THROW(model.sum({{2}, {}}), Error);
  EXPECT_THROW(model.sum({{0}}), Error);
}

TEST(Counts, PartsMustAgreeAndBePossible) {
  EXPECT_NO_THROW(check(counts_of_six_cells()));
  Counts model = counts_of_six_cells();
  model.variances.pop_back();
  EXPECT_THROW(check(model), Error);
  model = counts_of_six_cells();
  model.cells.values()[0] = -1;
  EXPECT_THROW(check(model), Error);
  model = counts_of_six_cells();
  model.variances[1][0] = -1;
  EXPECT_THROW(check(model), Error);
  model = counts_of_six_cells();
  model.variances[1].push_back(1);
  EXPECT_THROW(check(model), Error);
}

}  // namespace
}  // namespace tulle
