#include "text/duplicates.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace tulle {
namespace {

using Twins = std::optional<std::pair<std::size_t, std::size_t>>;

Twins by_definition(const Cells& cells) {
  std::map<std::array<Index, kMaxOrder>, std::size_t> seen;
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto [earlier, fresh] = seen.emplace(cells.cell(entry), entry);
    if (!fresh) return std::pair(earlier->second, entry);
  }
  return {};
}

void repeat(Cells& cells, std::size_t entry) {
  const auto cell = cells.cell(entry);
  cells.append(std::span(cell).first(static_cast<std::size_t>(cells.order())));
}

Cells random_cells(const Shape& shape, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<Index>> columns(shape.order());
  for (std::size_t entry = 0; entry < count; ++entry)
    for (int mode = 0; mode < shape.order(); ++mode)
      columns[mode].push_back(static_cast<Index>(random.below(shape[mode])));
  return Cells(shape, columns);
}

RC_GTEST_PROP(Duplicates, AsByDefinition, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::uint64_t>(1, 60);
  const auto count = *rc::gen::inRange<std::size_t>(0, 60);
  const Cells cells = random_cells(Shape{size, 3, size}, count, seed);
  RC_ASSERT(first_duplicate(cells) == by_definition(cells));
}

TEST(Duplicates, ManyBuckets) {
  const Cells cells = random_cells(Shape{5000, 4000, 300}, 100'000, 1);
  EXPECT_EQ(first_duplicate(cells), by_definition(cells));
  Cells repeated = cells;
  repeat(repeated, 777);
  repeat(repeated, 5);
  for (int count : {1, 2, 3}) {
    set_threads(count);
    EXPECT_EQ(first_duplicate(repeated), by_definition(repeated));
  }
}

TEST(Duplicates, PositionsOfMoreThan64Bits) {
  const std::uint64_t size = kMaxDimension;
  const Shape shape{size, size, size, size};
  Cells cells = random_cells(shape, 50'000, 2);
  EXPECT_EQ(first_duplicate(cells), Twins());
  repeat(cells, 123);
  EXPECT_EQ(first_duplicate(cells), Twins(std::pair(123, 50'000)));
}

TEST(Duplicates, EveryCellTwice) {
  Cells cells = random_cells(Shape{1u << 20, 1u << 20}, 30'000, 3);
  for (std::size_t entry = 0; entry < 30'000; ++entry) repeat(cells, entry);
  EXPECT_EQ(first_duplicate(cells), Twins(std::pair(0, 30'000)));
}

TEST(Duplicates, AllCellsTheSame) {
  const Cells cells(Shape{2, 2}, {std::vector<Index>(100'000, 0), std::vector<Index>(100'000, 0)});
  EXPECT_EQ(first_duplicate(cells), Twins(std::pair(0, 1)));
}

TEST(Duplicates, SortedCells) {
  EXPECT_EQ(first_duplicate(Cells(Shape{9, 9}, {{0, 0, 1}, {1, 2, 0}})), Twins());
  EXPECT_EQ(first_duplicate(Cells(Shape{9, 9}, {{0, 0, 1, 1}, {1, 2, 0, 0}})), Twins(std::pair(2, 3)));
  EXPECT_EQ(first_duplicate(Cells(Shape{9, 9})), Twins());
}

// Cells whose tags agree, although they differ: the inverse of the hash makes them.
TEST(Duplicates, CollidingCellsAreCompared) {
  const auto undo_shift = [](std::uint64_t x) { return x ^ (x >> 32); };
  const auto inverse = [](std::uint64_t odd) {
    std::uint64_t result = odd;
    for (int i = 0; i < 6; ++i) result *= 2 - odd * result;
    return result;
  };
  std::vector<std::vector<Index>> columns(2);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const std::uint64_t hash = i << 32 | 5;
    std::uint64_t key = undo_shift(hash) * inverse(0xc4ceb9fe1a85ec53);
    key = undo_shift(undo_shift(key) * inverse(0xff51afd7ed558ccd));
    const auto row = static_cast<Index>(key >> 32), column = static_cast<Index>(key);
    if (row >= kMaxDimension || column >= kMaxDimension) continue;
    columns[0].push_back(row);
    columns[1].push_back(column);
  }
  const Shape shape{kMaxDimension, kMaxDimension};
  EXPECT_EQ(first_duplicate(Cells(shape, columns)), Twins());
  const std::size_t count = columns[0].size();
  for (auto& column : columns) column.push_back(column[10]);
  EXPECT_EQ(first_duplicate(Cells(shape, columns)), Twins(std::pair(10, count)));
}

}  // namespace
}  // namespace tulle
