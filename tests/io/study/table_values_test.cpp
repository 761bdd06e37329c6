#include "study/table_values.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

TEST(TableValues, AreTransformed) {
  std::array<float, 3> values = {0, 2, -1};
  transform_values(values, transform_of("as-is"));
  EXPECT_EQ(values[1], 2);
  transform_values(std::span(values).first(2), transform_of("log"));
  EXPECT_FLOAT_EQ(values[1], std::log(3.0F));
  transform_values(values, transform_of("binary"));
  EXPECT_EQ(values, (std::array<float, 3>{0, 1, 0}));
  EXPECT_THROW(transform_of("root"), Error);
}

TEST(TableValues, DroppedPositionsLeaveNoGap) {
  SparseTensor table(Shape{2, 3}, Unlisted::missing);
  table.append(std::array<Index, 2>{0, 0}, 1);
  table.append(std::array<Index, 2>{1, 2}, 2);
  const SparseTensor rest = without_positions(table, {1}, "f.npy");
  EXPECT_EQ(rest.shape(), (Shape{2, 2}));
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest.cells()(0, 1), 1u);
  EXPECT_THROW(without_positions(table, {4}, "f.npy"), Error);
  EXPECT_THROW(without_positions(table, {1, 2, 3}, "f.npy"), Error);
}

}  // namespace
}  // namespace tulle
