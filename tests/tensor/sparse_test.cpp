#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/sparse.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

using Cell = std::vector<Index>;

TEST(Cells, AreListedInTheOrderTheyCome) {
  Cells cells(Shape{2, 3, 4});
  cells.reserve(2);
  cells.append(Cell{1, 2, 3});
  cells.append(Cell{0, 0, 1});
  EXPECT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells(0, 1), 2u);
  EXPECT_EQ(cells.cell(1)[2], 1u);
  EXPECT_EQ(cells, Cells(Shape{2, 3, 4}, {{1, 0}, {2, 0}, {3, 1}}));
}

TEST(Cells, FitALargerShape) {
  const Cells cells(Shape{2, 2}, {{1}, {0}});
  EXPECT_EQ(cells.within(Shape{5, 2}).shape(), (Shape{5, 2}));
  EXPECT_THROW(cells.within(Shape{1, 2}), Error);
}

TEST(Cells, RefuseWhatLiesOutside) {
  Cells cells(Shape{2, 3});
  EXPECT_THROW(cells.append(Cell{2, 0}), Error);
  EXPECT_THROW(cells.append(Cell{0, 0, 0}), Error);
  EXPECT_EQ(cells.size(), 0u);
  EXPECT_THROW(Cells(Shape{2, 3}, {{0}}), Error);
  EXPECT_THROW(Cells(Shape{2, 3}, {{0, 1}, {0}}), Error);
  try {
    Cells(Shape{2, 3}, {{0}, {3}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "position 4 of mode 2 lies outside its size 3");
  }
}

TEST(SparseTensor, KeepsCellsAndValuesTogether) {
  SparseTensor tensor(Shape{2, 3}, Unlisted::missing);
  tensor.append(Cell{1, 2}, 5);
  tensor.append(Cell{0, 1}, 7);
  EXPECT_EQ(tensor.unlisted(), Unlisted::missing);
  const SparseTensor chosen = tensor.select(std::vector<std::size_t>{1, 0, 1});
  EXPECT_EQ(chosen, SparseTensor(Cells(Shape{2, 3}, {{0, 1, 0}, {1, 2, 1}}), {7, 5, 7}, Unlisted::missing));
  EXPECT_THROW(SparseTensor(Cells(Shape{2, 3}, {{0}, {0}}), {1, 2}, Unlisted::zero), Error);
}

}  // namespace
}  // namespace tulle
