#include "completion/user/chunk_order.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace tulle {
namespace {

SparseTensor random_cells(Index users, Index positions, std::size_t cells) {
  Random random(2);
  SparseTensor tensor(Shape{users, positions}, Unlisted::missing);
  for (std::size_t cell = 0; cell < cells; ++cell)
    tensor.append(std::array<Index, 2>{static_cast<Index>(random.below(users)),
                                       static_cast<Index>(random.below(positions))},
                  1);
  return tensor;
}

// Every cell of the chunk once, by position, then by user; tasks end where the cells of a user at a position
// do. With few users, and with one, most cells of a position are those of one user.
TEST(ChunkOrder, HasEveryCellOnceInOrder) {
  for (Index users : {1u, 3u, 500u}) {
    const UserCells data(random_cells(users, 40, 30'000), 0);
    for (const UserChunk& chunk :
         chunks_of_users(data, 0, data.users(), {.of_user = 1, .of_cell = 1}, data.size() / 2)) {
      ChunkOrder order;
      order.sort(data, 0, chunk);
      ASSERT_EQ(order.cells(), chunk.cells());
      std::set<std::size_t> cells;
      std::size_t task = 1;
      for (std::size_t position = 0; position < 40; ++position)
        for (std::size_t place = order.begin(position); place < order.end(position); ++place) {
          const std::size_t user = order.user(place), cell = order.cell(place);
          cells.insert(cell);
          EXPECT_EQ(order.position(place), position);
          EXPECT_EQ(data.positions(cell)[0], position);
          EXPECT_TRUE(data.begin(user) <= cell && cell < data.end(user));
          const bool first = place == order.begin(position) || order.user(place - 1) != user;
          if (!first) {
            EXPECT_LT(order.cell(place - 1), cell);
          } else if (place > order.begin(position)) {
            EXPECT_LT(order.user(place - 1), user);
          }
          if (place == order.task_begin(task)) {
            EXPECT_TRUE(first);
            ++task;
          }
        }
      EXPECT_EQ(cells.size(), chunk.cells());
      EXPECT_EQ(task, order.tasks());
      EXPECT_GE(order.tasks(), chunk.cells() / 3000);
    }
  }
}

TEST(ChunkOrder, OfNoCellsHasNoTasks) {
  const UserCells data(SparseTensor(Shape{3, 4}, Unlisted::missing), 0);
  ChunkOrder order;
  order.sort(data, 0, {0, 3, 0, 0});
  EXPECT_EQ(order.tasks(), 0u);
}

}  // namespace
}  // namespace tulle
