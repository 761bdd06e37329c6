#include "completion/user/user_cells.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

SparseTensor four_users() {  // user 1 has no cell
  SparseTensor cells(Shape{3, 4, 2}, Unlisted::missing);
  cells.append(std::array<Index, 3>{2, 3, 1}, 1);
  cells.append(std::array<Index, 3>{0, 0, 0}, 2);
  cells.append(std::array<Index, 3>{1, 3, 0}, 3);
  cells.append(std::array<Index, 3>{2, 2, 1}, 4);
  cells.append(std::array<Index, 3>{0, 3, 1}, 5);
  return cells;
}

TEST(UserCells, AreContiguousInTheOrderOfTheList) {
  const UserCells cells(four_users(), 1);
  ASSERT_EQ(cells.users(), 4u);
  EXPECT_EQ(cells.size(), 5u);
  EXPECT_EQ(cells.count(0), 1u);
  EXPECT_EQ(cells.count(1), 0u);
  EXPECT_EQ(cells.count(2), 1u);
  ASSERT_EQ(cells.count(3), 3u);
  std::vector<float> values;
  for (std::size_t cell = cells.begin(3); cell < cells.end(3); ++cell) values.push_back(cells.value(cell));
  EXPECT_EQ(values, (std::vector<float>{1, 3, 5}));
}

TEST(UserCells, KeepThePositionsOfTheSharedModes) {
  const UserCells cells(four_users(), 1);
  ASSERT_EQ(cells.shared_modes(), 2u);
  EXPECT_EQ(cells.positions_of(0), 3u);
  EXPECT_EQ(cells.positions_of(1), 2u);
  const Index* const last = cells.positions(cells.end(3) - 1);
  EXPECT_EQ(last[0], 0u);
  EXPECT_EQ(last[1], 1u);
}

TEST(UserCells, MayBeReadAheadOfTheEnd) {
  const UserCells cells(four_users(), 0);
  for (std::size_t ahead = 0; ahead < UserCells::kLookAhead; ++ahead)
    for (std::size_t shared = 0; shared < cells.shared_modes(); ++shared)
      EXPECT_LT(cells.positions(cells.size() + ahead)[shared], cells.positions_of(shared));
}

}  // namespace
}  // namespace tulle
