#include "tensor/samples.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/strata.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace tulle {
namespace {

using Cell = std::vector<std::uint32_t>;

// What a cell is called in the strata, and the bits of its value.
std::map<Cell, std::uint32_t> expected_cells(const SparseTensor& observed, const Strata& strata) {
  std::map<Cell, std::uint32_t> cells;
  for (std::size_t e = 0; e < observed.size(); ++e) {
    Cell cell;
    for (int mode = 0; mode < observed.order(); ++mode)
      cell.push_back(strata.new_positions(mode)[observed.column(mode)[e]]);
    cells[cell] = std::bit_cast<std::uint32_t>(observed.values()[e]);
  }
  return cells;
}

SparseTensor any_observed() {
  return samples::sparse(samples::any_shape(4, 6), 0.7, samples::any_seed(), Unlisted::missing);
}

Strata::Numbering any_numbering() {
  return *rc::gen::element(Strata::Numbering::by_part, Strata::Numbering::kept);
}

RC_GTEST_PROP(Strata, HoldEveryCellOnce, ()) {
  const SparseTensor observed = any_observed();
  Strata strata(observed, 2, any_numbering());
  std::map<Cell, std::uint32_t> found;
  std::size_t listed = 0;
  for (std::size_t s = 0; s < strata.count(); ++s)
    for (std::size_t b = 0; b < strata.parts(); ++b) {
      const auto words = strata.block(s, b);
      const std::size_t width = static_cast<std::size_t>(strata.order()) + 1;
      RC_ASSERT(words.size() == strata.cells(s, b).size() * width);
      for (std::size_t at = 0; at < words.size(); at += width, ++listed)
        found[Cell(words.begin() + at, words.begin() + at + width - 1)] = words[at + width - 1];
    }
  RC_ASSERT(listed == observed.size());
  RC_ASSERT(found == expected_cells(observed, strata));
}

// Hence blocks of a stratum can be updated at the same time.
RC_GTEST_PROP(Strata, BlocksOfAStratumShareNoRowOfAnyMode, ()) {
  const SparseTensor observed = any_observed();
  Strata strata(observed, 1, any_numbering());
  const std::size_t width = static_cast<std::size_t>(strata.order()) + 1;
  for (std::size_t s = 0; s < strata.count(); ++s)
    for (int mode = 0; mode < strata.order(); ++mode) {
      std::map<std::uint32_t, std::size_t> block_of;
      for (std::size_t b = 0; b < strata.parts(); ++b) {
        const auto words = strata.block(s, b);
        for (std::size_t at = 0; at < words.size(); at += width)
          RC_ASSERT(block_of.emplace(words[at + mode], b).first->second == b);
      }
    }
}

RC_GTEST_PROP(Strata, NumberingsArePermutationsThatKeepTheCounts, ()) {
  const SparseTensor observed = any_observed();
  const auto numbering = any_numbering();
  const Strata strata(observed, 2, numbering);
  for (int mode = 0; mode < observed.order(); ++mode) {
    const auto& numbers = strata.new_positions(mode);
    RC_ASSERT(std::set<Index>(numbers.begin(), numbers.end()).size() == observed.shape()[mode]);
    for (Index position = 0; position < numbers.size(); ++position) {
      if (numbering == Strata::Numbering::kept) RC_ASSERT(numbers[position] == position);
      RC_ASSERT(strata.counts(mode)[numbers[position]] ==
                static_cast<std::uint32_t>(std::ranges::count(observed.column(mode), position)));
    }
  }
  const Cells renumbered = strata.renumbered(observed.cells());
  for (std::size_t e = 0; e < observed.size(); ++e)
    RC_ASSERT(renumbered(e, 0) == strata.new_positions(0)[observed.column(0)[e]]);
}

// 8 x 8 cells leave 64 / 4 to each of 2^2 blocks, 64 / 16 to each of 4^2; a mode of 3 positions has 2 parts
// at most.
TEST(Strata, AreAsManyAsLeaveEnoughCellsToABlock) {
  const auto parts = [](const Shape& shape, std::size_t cells_per_block) {
    return Strata(samples::sparse(shape, 1, 1), cells_per_block, Strata::Numbering::kept).parts();
  };
  EXPECT_EQ(parts({8, 8}, 17), 1u);
  EXPECT_EQ(parts({8, 8}, 16), 2u);
  EXPECT_EQ(parts({8, 8}, 4), 4u);
  EXPECT_EQ(parts({3, 100}, 1), 2u);
}

std::vector<std::vector<std::uint32_t>> visited(int thread_count, std::uint64_t seed) {
  Strata strata(samples::sparse({20, 20, 20}, 0.5, 3), 10, Strata::Numbering::by_part);
  std::vector<std::vector<std::uint32_t>> blocks(strata.count() * strata.parts());
  std::size_t before = 0, after = 0;
  const int threads_before = threads();
  set_threads(thread_count);
  strata.visit(
      seed, [&](std::size_t) { ++before; },
      [&](std::size_t s, std::size_t b, std::span<std::uint32_t> words) {
        blocks[s * strata.parts() + b].assign(words.begin(), words.end());
      },
      [&](std::size_t) { ++after; });
  set_threads(threads_before);
  EXPECT_EQ(before, strata.count());
  EXPECT_EQ(after, strata.count());
  return blocks;
}

TEST(Strata, AreVisitedInAnOrderThatDependsOnTheSeedAlone) {
  EXPECT_EQ(visited(1, 5), visited(3, 5));
  EXPECT_NE(visited(1, 5), visited(1, 6));
}

}  // namespace
}  // namespace tulle
