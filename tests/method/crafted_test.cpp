#include "crafted.hpp"

#include <tulle/data/coupling.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

TEST(Crafted, CellsAreInCOrderAndThoseWithoutAValueAreMissing) {
  const auto data = cells_of(
      {2, 2}, [](auto cell, double secret) { return cell[0] == 1 ? kNoCell : cell[1] + 10 * secret; });
  const SparseTensor tensor = data(0.5);
  EXPECT_EQ(tensor.shape(), (Shape{2, 2}));
  ASSERT_EQ(tensor.size(), 2u);
  EXPECT_EQ(tensor.cells()(1, 1), 1u);
  EXPECT_EQ(std::vector<float>(tensor.values().begin(), tensor.values().end()), (std::vector<float>{5, 6}));
}

// Cells with their values, in order of the cells.
std::vector<std::pair<std::vector<Index>, float>> listed(const SparseTensor& tensor) {
  std::vector<std::pair<std::vector<Index>, float>> cells;
  for (std::size_t entry = 0; entry < tensor.size(); ++entry) {
    const auto cell = tensor.cells().cell(entry);
    cells.emplace_back(std::vector<Index>(cell.begin(), cell.begin() + tensor.order()),
                       tensor.values()[entry]);
  }
  std::ranges::sort(cells);
  return cells;
}

// The first mode has the users, here and in runs of the audit.
bool differ_in_one_unit(const CraftedTensor& crafted) {
  const auto first = listed(crafted.data(0)), second = listed(crafted.data(1));
  std::vector<std::pair<std::vector<Index>, float>> differ;
  std::ranges::set_symmetric_difference(first, second, std::back_inserter(differ));
  const std::size_t modes = crafted.neighbours.unit == Unit::user ? 1 : first.front().first.size();
  const auto unit = [&](const auto& cell) {
    return std::vector(cell.first.begin(), cell.first.begin() + static_cast<std::ptrdiff_t>(modes));
  };
  return !differ.empty() &&
         std::ranges::all_of(differ, [&](const auto& cell) { return unit(cell) == unit(differ.front()); });
}

TEST(Crafted, TheTwoDataSetsDifferInOneUnit) {
  for (const CraftedTensor& crafted :
       {lone_value(), value_among_others(), value_in_full_tensor(), largest_of_slice(), cell_or_none(),
        cell_or_blank(), values_of_user(), user_or_none(), user_or_blank(), one_rating_or_none(),
        user_in_two_relations()})
    EXPECT_TRUE(differ_in_one_unit(crafted)) << crafted.canary;
}

TEST(Crafted, BlankedEntriesAreThoseThatTheFirstDataSetLacks) {
  for (const CraftedTensor& crafted : {cell_or_blank(), user_or_blank()}) {
    const SparseTensor second = crafted.data(1);
    std::vector<std::size_t> kept(second.size());
    for (std::size_t entry = 0; entry < kept.size(); ++entry) kept[entry] = entry;
    std::erase_if(kept, [&](std::size_t entry) { return std::ranges::count(crafted.blanked, entry) > 0; });
    EXPECT_EQ(listed(second.select(kept)), listed(crafted.data(0))) << crafted.canary;
  }
}

TEST(Crafted, DocumentsDifferInTheLastOne) {
  for (const CraftedDocuments& crafted :
       {other_word(), one_of_two_words(), other_order(), long_document(), one_per_site()}) {
    EXPECT_NE(crafted.first, crafted.second) << crafted.canary;
    EXPECT_EQ(crafted.first.size(), crafted.second.size()) << crafted.canary;
    EXPECT_LT(std::ranges::max(crafted.second), crafted.words) << crafted.canary;
  }
}

}  // namespace
}  // namespace tulle
