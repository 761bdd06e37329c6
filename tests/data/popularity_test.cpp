#include <tulle/data/popularity.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Popularity, IsActivityTimesOccurrence) {
  const SparseTensor data(Cells(Shape{3, 2, 2}, {{0, 0, 1}, {0, 1, 0}, {1, 0, 1}}), {2, 1, 3},
                          Unlisted::zero);
  const auto scores = popularity(data, Cells(Shape{3, 2, 2}, {{0, 1, 2, 0}, {0, 1, 0, 0}, {1, 0, 1, 0}}));
  EXPECT_DOUBLE_EQ(scores[0], 3.1 * 5.01);
  EXPECT_DOUBLE_EQ(scores[1], 3.1 * 1.01);
  EXPECT_DOUBLE_EQ(scores[2], 0.1 * 5.01);
  EXPECT_DOUBLE_EQ(scores[3], 3.1 * 0.01);
}

// X[u,p,a] with Y[p,u], which lists user 0 at place 1 and user 1 at place 0 with a zero.
TEST(Popularity, CellsThatASideTableListsRankFirst) {
  Study study;
  study.model.axes = {{"u", "user", 2}, {"p", "place", 2}, {"a", "act", 2}};
  study.model.products = {{"X", {0, 1, 2}, {}}, {"Y", {1, 0}, {}}};
  study.tables.push_back(
      {.data = SparseTensor(Cells(Shape{2, 2, 2}, {{0}, {0}, {0}}), {50}, Unlisted::zero)});
  const Cells cells(Shape{2, 2, 2}, {{0, 0, 1}, {0, 1, 0}, {0, 0, 0}});
  study.tables.push_back(
      {.data = SparseTensor(Cells(Shape{2, 2}, {{1, 0}, {0, 1}}), {3, 0}, Unlisted::missing)});
  const auto scores = popularity_among_listed(study, 0, cells);
  ASSERT_TRUE(scores);
  EXPECT_GT((*scores)[1], (*scores)[0]);  // less popular, but listed
  EXPECT_GT((*scores)[0], (*scores)[2]);
  EXPECT_FALSE(popularity_among_listed(study, 1, Cells(Shape{2, 2}, {{0}, {0}})));
}

}  // namespace
}  // namespace tulle
