#include "completion/user/held_users.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

// Users with 3, 0, 1, 2 and 4 cells.
UserCells users_with_cells() {
  SparseTensor tensor(Shape{5, 9}, Unlisted::missing);
  const int counts[] = {3, 0, 1, 2, 4};
  for (Index user = 0; user < 5; ++user)
    for (int e = 0; e < counts[user]; ++e)
      tensor.append(std::array<Index, 2>{user, static_cast<Index>(e)}, 1);
  return UserCells(tensor, 0);
}

TEST(ChunksOfUsers, HaveEveryUserOnceAndEnoughEach) {
  const UserCells data = users_with_cells();
  const HeldSizes sizes{.of_user = 2, .of_cell = 1};
  for (std::size_t numbers : {1, 4, 7, 100}) {
    std::size_t user = 0, cell = 0;
    for (const UserChunk& chunk : chunks_of_users(data, 0, data.users(), sizes, numbers)) {
      EXPECT_EQ(chunk.first_user, user);
      EXPECT_EQ(chunk.first_cell, cell);
      EXPECT_EQ(chunk.last_cell, data.end(chunk.last_user - 1));
      user = chunk.last_user, cell = chunk.last_cell;
      if (user < data.users()) {
        EXPECT_GE(sizes.numbers(chunk), numbers);
      }
    }
    EXPECT_EQ(user, data.users());
    EXPECT_EQ(cell, data.size());
  }
}

TEST(HeldUsers, HoldsEachNumberAtItsOwnPlace) {
  const HeldSizes sizes{.of_user = 2, .of_cell = 3};
  const UserChunk chunk{.first_user = 2, .last_user = 4, .first_cell = 3, .last_cell = 6};
  std::vector<double> memory(sizes.numbers(chunk), -1);
  ASSERT_EQ(memory.size(), 2u * 3 + 3u * 3);
  const HeldUsers held(sizes, chunk, memory.data());
  double next = 0;
  for (std::size_t user = 2; user < 4; ++user) {
    for (int i = 0; i < 2; ++i) held.of_user(user)[i] = next++;
    held.weight(user) = next++;
  }
  for (std::size_t cell = 3; cell < 6; ++cell)
    for (int i = 0; i < 3; ++i) held.of_cell(cell)[i] = next++;
  std::ranges::sort(memory);
  for (std::size_t i = 0; i < memory.size(); ++i) EXPECT_EQ(memory[i], static_cast<double>(i));
  EXPECT_EQ(held.held(3, 5).cell, 5u);
  EXPECT_EQ(held.held(3, 5).of_user, held.of_user(3));
  EXPECT_EQ(held.held(3, 5).of_cell, held.of_cell(5));
}

}  // namespace
}  // namespace tulle
