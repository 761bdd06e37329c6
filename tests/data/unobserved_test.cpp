#include "small_study.hpp"

#include <tulle/data/hide.hpp>
#include <tulle/data/unobserved.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using Rows = std::vector<std::vector<std::size_t>>;

// A 3x4 matrix with two listed cells.
SparseTensor two_cells(Unlisted unlisted) {
  SparseTensor data(Shape{3, 4}, unlisted);
  data.append(std::array<Index, 2>{0, 1}, 2);
  data.append(std::array<Index, 2>{2, 3}, 5);
  return data;
}

TEST(UnobservedRows, AreThoseWithoutAListedCellWhereOthersAreMissing) {
  EXPECT_EQ(unobserved_rows(matrix_study(two_cells(Unlisted::missing), 1, 2)), (Rows{{1}, {0, 2}}));
}

TEST(UnobservedRows, AreNoneWhereUnlistedCellsAreZeros) {
  EXPECT_EQ(unobserved_rows(matrix_study(two_cells(Unlisted::zero), 1, 2)), (Rows{{}, {}}));
}

TEST(UnobservedRows, AreThoseAllOfWhoseCellsAreHidden) {
  Study study = matrix_study(two_cells(Unlisted::zero), 1, 2);
  study.tables[0].hidden = Cells(Shape{3, 4});
  for (Index place = 0; place < 4; ++place) study.tables[0].hidden->append(std::array<Index, 2>{1, place});
  study.tables[0].hidden->append(std::array<Index, 2>{0, 0});
  EXPECT_EQ(unobserved_rows(study), (Rows{{1}, {}}));
}

TEST(UnobservedRows, AreLookedForInEveryTableOfTheFactor) {
  Study study = matrix_study(two_cells(Unlisted::missing), 1, 2);
  study.model.factors.push_back({"V", {0, 2}, {}});  // users once more, for the second table alone
  study.model.products.push_back({"Y", {0, 1}, {2, 1}});
  SparseTensor second(Shape{3, 4}, Unlisted::missing);
  second.append(std::array<Index, 2>{1, 0}, 1);
  study.tables.push_back({.data = std::move(second)});
  study.priors.resize(3);
  EXPECT_EQ(unobserved_rows(study), (Rows{{1}, {2}, {0, 2}}));
}

TEST(UnobservedRows, OfAFactorOfTwoEntitiesAreTheirCombinations) {
  Study study = matrix_study(two_cells(Unlisted::missing), 1, 2);
  study.model.factors = {{"W", {1, 0, 2}, {}}};  // places before users
  study.model.products[0].factors = {0};
  study.priors.resize(1);
  EXPECT_EQ(unobserved_rows(study), (Rows{{0, 1, 2, 4, 5, 6, 7, 8, 9, 10}}));
}

TEST(UnobservedRows, ACoreHasNone) {
  Study study = matrix_study(two_cells(Unlisted::missing), 1, 2);
  study.model.axes.push_back({"l", "", 3});
  study.model.factors = {{"U", {0, 2}, {}}, {"P", {1, 3}, {}}, {"G", {2, 3}, {}}};
  study.model.products[0].factors = {0, 1, 2};
  study.priors.resize(3);
  EXPECT_EQ(unobserved_rows(study), (Rows{{1}, {0, 2}, {}}));
}

}  // namespace
}  // namespace tulle
