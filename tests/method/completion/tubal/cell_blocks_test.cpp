#include "completion/tubal/cell_blocks.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(CellBlocks, CutEveryModeIntoRunsOfAlmostEqualLength) {
  const CellBlocks blocks(Shape{10, 4, 7}, {3, 4, 1});
  EXPECT_FALSE(blocks.are_single_cells());
  std::vector<int> lengths(3);
  for (Index i = 0; i < 10; ++i) ++lengths[blocks.run_of(0, i)];
  EXPECT_EQ(lengths, (std::vector{4, 3, 3}));
  Cells cells(Shape{10, 4, 7});
  cells.append(std::array<Index, 3>{9, 2, 6});
  EXPECT_EQ(blocks.block_of(cells, 0), 2u * 4 + 2);
}

// What is linear in the position comes back between the outermost middles; a constant comes back everywhere.
TEST(CellBlocks, InterpolateLinearly) {
  const CellBlocks blocks(Shape{12, 5, 3}, {4, 5, 1});
  const Matrix matrix = blocks.interpolation(0);
  const Vector middles{{1, 4, 7, 10}};
  const Vector line = matrix * middles;
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(line[i], std::clamp(i, 1, 10), 1e-12);
  EXPECT_TRUE((matrix.rowwise().sum().array() - 1).isZero(1e-12));
  EXPECT_TRUE(blocks.interpolation(1).isIdentity());
  EXPECT_TRUE((blocks.interpolation(2).array() == 1).all());
}

TEST(CellBlocks, GrowWithTheNoise) {
  std::size_t last = std::numeric_limits<std::size_t>::max();
  for (double noise : {1e-8, 1e-3, 0.1, 10.0, 1e6}) {
    const CellBlocks blocks = best_blocks(Shape{64, 64, 64}, 1, noise, {{1e-3, 1e-3, 1e-3}, 0.02});
    EXPECT_LE(blocks.shape().cells(), last) << noise;
    last = blocks.shape().cells();
  }
  EXPECT_TRUE(best_blocks(Shape{64, 64, 64}, 1, 1e-8, {{1e-3, 1e-3, 1e-3}, 0.02}).are_single_cells());
  EXPECT_EQ(last, 1u) << "drowned: one block";
}

TEST(CellBlocks, AreLongestWhereNeighboursAreMostAlike) {
  const CellBlocks blocks = best_blocks(Shape{60, 60, 60}, 0.5, 1, {{1e-3, 1e-4, kNever}, 0.05});
  EXPECT_EQ(blocks.shape()[2], 60u) << "never taken together";
  EXPECT_LT(blocks.shape()[1], blocks.shape()[0]);
  EXPECT_TRUE(best_blocks(Shape{6, 5, 4}, 0.5, 1, {{kNever, kNever, kNever}, 0}).are_single_cells());
}

}  // namespace
}  // namespace tulle
