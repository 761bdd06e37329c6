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

}  // namespace
}  // namespace tulle
