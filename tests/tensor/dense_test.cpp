#include <tulle/base/error.hpp>
#include <tulle/tensor/dense.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(DenseTensor, StartsWithZeros) {
  const DenseTensor tensor(Shape{2, 3});
  EXPECT_EQ(tensor.size(), 6u);
  for (double value : tensor.values()) EXPECT_EQ(value, 0);
}

TEST(DenseTensor, HoldsCellsInCOrder) {
  DenseTensor tensor(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(tensor[(std::vector<Index>{1, 0})], 4);
  tensor[std::vector<Index>{0, 2}] = 9;
  EXPECT_EQ(tensor.values()[2], 9);
}

TEST(DenseTensor, RefusesTheWrongNumberOfValues) {
  try {
    DenseTensor(Shape{2, 3}, {1, 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a 2x3 tensor has 6 cells, but 2 values were given");
  }
}

}  // namespace
}  // namespace tulle
