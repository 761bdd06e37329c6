#include "small_study.hpp"

#include <tulle/data/zeros.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Zeros, AllUnlistedCellsAreThoseThatAreNeitherListedNorHidden) {
  const SparseTensor data = small_counts(Unlisted::zero);
  const auto listed = cell_numbers(data.cells());
  const Cells zeros = unlisted_cells(data, {}, 100, 1);
  EXPECT_EQ(zeros.size() + data.size(), 20u);
  for (std::size_t number : cell_numbers(zeros)) EXPECT_FALSE(std::ranges::binary_search(listed, number));
  const Cells hidden = cells_numbered(data.shape(), {cell_numbers(zeros)[1]});
  EXPECT_EQ(unlisted_cells(data, hidden, 100, 1).size(), zeros.size() - 1);
}

TEST(Zeros, OfManyThereIsASampleWithoutRepetition) {
  SparseTensor data(Shape{100'000, 100'000}, Unlisted::zero);
  data.append(std::array<Index, 2>{7, 7}, 1);
  const auto numbers = cell_numbers(unlisted_cells(data, {}, 1000, 1));
  EXPECT_EQ(numbers.size(), 1000u);
  EXPECT_EQ(std::ranges::adjacent_find(numbers), numbers.end());
  EXPECT_EQ(numbers, cell_numbers(unlisted_cells(data, {}, 1000, 1)));
  EXPECT_NE(numbers, cell_numbers(unlisted_cells(data, {}, 1000, 2)));
}

TEST(Zeros, CellsHaveTheirNumbers) {
  const Cells cells(Shape{3, 4}, {{2, 0}, {1, 3}});
  EXPECT_EQ(cell_numbers(cells), (std::vector<std::size_t>{3, 9}));
  EXPECT_EQ(cells_numbered(Shape{3, 4}, {3, 9}), (Cells(Shape{3, 4}, {{0, 2}, {3, 1}})));
}

}  // namespace
}  // namespace tulle
