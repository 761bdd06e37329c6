#include "counts/table_sums.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace tulle {
namespace {

TEST(TableSums, AreOfTheOtherModes) {
  const Shape shape{2, 3, 4};
  std::vector<double> values(24);
  std::iota(values.begin(), values.end(), 0.0);
  EXPECT_EQ(summed(shape, values, 0b111, 0b111), values);
  EXPECT_EQ(summed(shape, values, 0b111, 0), std::vector<double>{276});
  EXPECT_EQ(summed(shape, values, 0b111, 0b001), (std::vector<double>{66, 210}));
  EXPECT_EQ(summed(shape, values, 0b111, 0b100), (std::vector<double>{60, 66, 72, 78}));
  const std::vector<double> pairs = summed(shape, values, 0b111, 0b101);
  EXPECT_EQ(pairs[1], 1 + 5 + 9);
  EXPECT_EQ(summed(shape, pairs, 0b101, 0b100), summed(shape, values, 0b111, 0b100));
}

TEST(TableSums, APositionOfItsOwnChangesNothing) {
  const Shape shape{3, 1, 2};
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(summed(shape, values, 0b111, 0b101), values);
  EXPECT_EQ(summed(shape, values, 0b101, 0b100), (std::vector<double>{9, 12}));
}

}  // namespace
}  // namespace tulle
