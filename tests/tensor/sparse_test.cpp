#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/sorted.hpp>
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

RC_GTEST_PROP(SortedEntries, AreTheSameEntriesInOrder, ()) {
  const Shape shape = samples::any_shape(4, 6);
  const SparseTensor tensor = samples::sparse(shape, 0.5, samples::any_seed());
  const SortedEntries sorted = sort_entries(tensor, modes_from(shape, *rc::gen::inRange(0, shape.order())));
  const auto cell_of = [&](std::size_t entry) {
    Cell cell;
    for (const auto& column : sorted.columns) cell.push_back(column[entry]);
    return cell;
  };
  RC_ASSERT(sorted.size() == tensor.size());
  for (std::size_t entry = 0; entry < sorted.size(); ++entry) {
    RC_ASSERT(sorted.values[entry] == tensor.values()[sorted.source[entry]]);
    for (int level = 0; level < shape.order(); ++level)
      RC_ASSERT(sorted.columns[level][entry] == tensor.column(sorted.modes[level])[sorted.source[entry]]);
    RC_ASSERT(sorted.starts[sorted.columns[0][entry]] <= entry);
    RC_ASSERT(entry < sorted.starts[sorted.columns[0][entry] + 1]);
    if (entry == 0) continue;
    const Cell before = cell_of(entry - 1), now = cell_of(entry);
    RC_ASSERT(before < now);
    RC_ASSERT(sorted.fresh[entry] == std::ranges::mismatch(before, now).in1 - before.begin());
  }
}

// A mode far longer than the list takes the other way of sorting.
TEST(SortedEntries, OfAHugeMode) {
  SparseTensor tensor(Shape{1'000'000, 2}, Unlisted::zero);
  tensor.append(Cell{999'999, 0}, 1);
  tensor.append(Cell{5, 1}, 2);
  tensor.append(Cell{5, 0}, 3);
  const SortedEntries sorted = sort_entries(tensor, {1, 0});
  EXPECT_EQ(sorted.values, (std::vector<float>{3, 1, 2}));
  EXPECT_EQ(modes_towards(Shape{9, 5, 7}, 1), (std::vector<int>{2, 0, 1}));
}

}  // namespace
}  // namespace tulle
