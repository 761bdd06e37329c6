#include "estimate/margin_tables.hpp"

#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Cells (0,0,0), (2,0,1), (2,1,0), (0,0,1) of a tensor 3x2x2.
Cells four_cells() {
  return Cells(Shape{3, 2, 2}, {{0, 2, 2, 0}, {0, 0, 1, 0}, {0, 1, 0, 1}});
}

TEST(MarginTables, GroupCellsByPositionsThatHaveSome) {
  const Cells cells = four_cells();
  const MarginTable rows(cells, {0}), pairs(cells, {0, 1}), all(cells, {});
  EXPECT_EQ(rows.groups(), 2u);  // position 1 has no cell
  EXPECT_EQ(rows.add_up([](std::size_t cell) { return cell + 1.0; }), (std::vector<double>{5, 5}));
  EXPECT_EQ(std::vector(pairs.counts().begin(), pairs.counts().end()), (std::vector<double>{2, 1, 1}));
  EXPECT_EQ(pairs.group(3), 0u);
  EXPECT_EQ(pairs.member(0), 0u);
  EXPECT_EQ(all.counts()[0], 4);
}

TEST(MarginTables, AddUpBlockByBlock) {
  const MarginTable rows(four_cells(), {0});
  EXPECT_EQ(rows.add_up(1, 3, [](std::size_t cell) { return cell + 1.0; }), (std::vector<double>{0, 5}));
}

TEST(MarginTables, AreRefinedByMoreModes) {
  const Cells cells = four_cells();
  const MarginTable all(cells, {}), row(cells, {0}), column(cells, {1}), pair(cells, {0, 1});
  EXPECT_TRUE(pair.refines(row) && pair.refines(column) && pair.refines(all) && row.refines(row));
  EXPECT_FALSE(row.refines(column) || row.refines(pair));
}

// Pairs of a matrix are its cells; those of three modes are taken where each has two cells on average.
TEST(MarginTables, TakePairsThatHaveCellsEnough) {
  const auto sets = [](const Shape& shape, double part) {
    std::vector<std::vector<int>> modes;
    for (const MarginTable& table : margin_tables(observe(DenseTensor(shape), part, 1).cells()))
      modes.push_back(table.modes());
    return modes;
  };
  EXPECT_EQ(sets({20, 30}, 1), (std::vector<std::vector<int>>{{}, {0}, {1}}));
  EXPECT_EQ(sets({10, 10, 3}, 1), (std::vector<std::vector<int>>{{}, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(sets({30, 30, 2}, 0.5), (std::vector<std::vector<int>>{{}, {0}, {1}, {2}, {0, 2}, {1, 2}}));
  EXPECT_EQ(sets({600, 600, 5}, 1),
            (std::vector<std::vector<int>>{{}, {0}, {1}, {2}, {0, 2}, {1, 2}}));  // time
}

const std::vector<ModeOrder> kSecondAndThird = {
    {}, {.kind = ModeOrder::Kind::stated}, {.kind = ModeOrder::Kind::stated, .places = {5, 4, 3, 2, 1, 0}}};

// 720 cells; 3 positions without an order leave 40 blocks of 6 cells to the others: 6 by 6, at most.
TEST(Blocks, HaveSoManyCellsAndAreAsManyAlongEveryMode) {
  const Cells cells = observe(DenseTensor(Shape{3, 40, 6}), 1, 1).cells();
  const Blocks blocks(cells, kSecondAndThird, 6);
  EXPECT_EQ(blocks.lengths(), (std::vector<Index>{1, 6, 1}));
  const MarginTable table(cells, blocks);
  EXPECT_EQ(table.groups(), 3u * 7 * 6);
  EXPECT_GE(*std::ranges::min_element(table.counts()), 4);
  EXPECT_TRUE(Blocks(cells, {}, 6).empty());                 // nothing is stated
  EXPECT_TRUE(Blocks(cells, kSecondAndThird, 400).empty());  // a block for each of the first mode
}

TEST(Blocks, AreRunsInTheOrderOfPlaces) {
  const Blocks blocks(Shape{1, 1, 6}, {{}, {}, kSecondAndThird[2]}, {1, 1, 2});
  EXPECT_EQ(blocks.of(2, 5), 0u);
  EXPECT_EQ(blocks.of(2, 3), 1u);
  EXPECT_EQ(blocks.of(2, 0), 2u);
  EXPECT_EQ(blocks.between(2, 5), -0.25);
  EXPECT_EQ(blocks.between(2, 4), 0.25);
}

TEST(Blocks, RefineMarginsOfModesThatTheyDoNotDivide) {
  const Cells cells = observe(DenseTensor(Shape{3, 40, 6}), 1, 1).cells();
  const MarginTable table(cells, Blocks(cells, kSecondAndThird, 6));
  EXPECT_TRUE(table.refines(MarginTable(cells, {})) && table.refines(MarginTable(cells, {0, 2})));
  EXPECT_FALSE(table.refines(MarginTable(cells, {1})) || MarginTable(cells, {0, 1}).refines(table));
}

}  // namespace
}  // namespace tulle
