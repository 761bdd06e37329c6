#include <tulle/base/random.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/base/unit_blocks.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace tulle {
namespace {

using Blocks = std::vector<std::pair<std::size_t, std::size_t>>;

Blocks blocks_of(std::size_t units, std::size_t block_size) {
  Blocks blocks;
  add_up_blocks(units, block_size, [&](std::size_t begin, std::size_t end) {
    blocks.emplace_back(begin, end);
    return std::vector<double>();
  });
  return blocks;
}

TEST(UnitBlocks, HaveEveryUnitOnce) {
  EXPECT_EQ(blocks_of(5, 2), (Blocks{{0, 2}, {2, 4}, {4, 5}}));
  EXPECT_EQ(blocks_of(4, 2), (Blocks{{0, 2}, {2, 4}}));
  EXPECT_EQ(blocks_of(5, 0), (Blocks{{0, 5}}));
  EXPECT_EQ(blocks_of(5, static_cast<std::size_t>(-1)), (Blocks{{0, 5}}));
}

// A sum of nothing has its numbers too.
TEST(UnitBlocks, OfNoUnitsAreOneEmptyBlock) {
  EXPECT_EQ(blocks_of(0, 0), (Blocks{{0, 0}}));
  EXPECT_EQ(blocks_of(0, 3), (Blocks{{0, 0}}));
}

// Terms of very different size, whose sum as doubles depends on their order.
TEST(UnitBlocks, OfAnySizeAddUpToTheSameBits) {
  Random random(1);
  std::vector<double> terms(1000);
  for (double& term : terms) term = std::pow(random.uniform(), 20) * random.normal();
  const SumGrid grid(10, 1000);
  const auto sum = [&](std::size_t block_size) {
    return add_up_blocks(terms.size(), block_size, [&](std::size_t begin, std::size_t end) {
      std::vector<double> part(1);
      for (std::size_t unit = begin; unit < end; ++unit) part[0] += grid.round(terms[unit]);
      return part;
    });
  };
  for (std::size_t block_size : {1u, 7u, 999u}) EXPECT_EQ(sum(block_size), sum(0)) << block_size;
}

}  // namespace
}  // namespace tulle
