#include "tensor/samples.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/reduce_rows.hpp>
#include <tulle/tensor/sorted.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace tulle {
namespace {

using Cell = std::vector<Index>;

Cell cell_of(const SortedEntries& sorted, std::size_t row, std::size_t entry) {
  Cell cell = {sorted.rows[row]};
  for (int level = 1; level < sorted.levels(); ++level) cell.push_back(sorted.position(level, entry));
  return cell;
}

void expect_entries(const SparseTensor& tensor, const SortedEntries& sorted, bool with_levels) {
  std::map<Cell, float> expected;
  for (std::size_t e = 0; e < tensor.size(); ++e) {
    Cell cell;
    for (int mode : sorted.modes) cell.push_back(tensor.column(mode)[e]);
    expected[cell] = tensor.values()[e];
  }
  RC_ASSERT(sorted.size() == expected.size());
  RC_ASSERT(sorted.all_rows == tensor.shape()[sorted.modes[0]]);
  RC_ASSERT(std::ranges::adjacent_find(sorted.rows, std::greater_equal<>()) == sorted.rows.end());
  auto next = expected.begin();
  Cell before;
  for (std::size_t row = 0; row < sorted.rows.size(); ++row) {
    RC_ASSERT(sorted.starts[row] < sorted.starts[row + 1]);
    for (std::size_t entry = sorted.starts[row]; entry < sorted.starts[row + 1]; ++entry, ++next) {
      const Cell cell = cell_of(sorted, row, entry);
      RC_ASSERT(cell == next->first);  // a map is in lexicographic order
      RC_ASSERT(sorted.values[entry] == next->second);
      if (!with_levels) continue;
      RC_ASSERT(sorted.position(0, entry) == cell[0]);
      const auto fresh = entry == 0 ? 0 : std::ranges::mismatch(before, cell).in1 - before.begin();
      RC_ASSERT(sorted.fresh[entry] == fresh);
      before = cell;
    }
  }
}

RC_GTEST_PROP(SortedEntries, AreTheSameEntriesInOrder, ()) {
  const Shape shape = samples::any_shape(5, 8);
  const SparseTensor tensor = samples::sparse(shape, *rc::gen::element(0.0, 0.1, 0.6), samples::any_seed());
  const int mode = *rc::gen::inRange(0, shape.order());
  expect_entries(tensor, sort_entries(tensor, modes_towards(shape, mode)), true);
  for (const Levels levels : {Levels::small_first, Levels::large_first}) {
    const bool with_levels = levels == Levels::small_first;
    const auto by_mode = sort_by_every_mode(tensor, levels);
    RC_ASSERT(by_mode[mode].modes[0] == mode);
    expect_entries(tensor, by_mode[mode], with_levels);
    const SortedEntries alone = sort_by_mode(tensor, mode, levels);
    RC_ASSERT(alone.modes == by_mode[mode].modes);
    expect_entries(tensor, alone, with_levels);
  }
}

TEST(SortedEntries, OtherModesFollowBySize) {
  const SparseTensor tensor(Shape{9, 5, 7}, Unlisted::zero);
  EXPECT_EQ(sort_by_mode(tensor, 1, Levels::small_first).modes, (std::vector<int>{1, 2, 0}));
  EXPECT_EQ(sort_by_mode(tensor, 1, Levels::large_first).modes, (std::vector<int>{1, 0, 2}));
  EXPECT_EQ(modes_towards(tensor.shape(), 1), (std::vector<int>{2, 0, 1}));
}

// Large positions need several passes of the sort; the modes must not cost memory by their size.
TEST(SortedEntries, OfHugeModes) {
  SparseTensor tensor(Shape{4'000'000'000, 3'000'000'000}, Unlisted::missing);
  for (Index i : {3'999'999'999u, 5u, 70'000u, 2'500'000'000u})
    tensor.append(std::array<Index, 2>{i, i / 2}, static_cast<float>(i % 97));
  const auto by_mode = sort_by_every_mode(tensor, Levels::large_first);
  EXPECT_EQ(by_mode[0].rows, (std::vector<Index>{5u, 70'000u, 2'500'000'000u, 3'999'999'999u}));
  EXPECT_EQ(by_mode[1].rows, (std::vector<Index>{2u, 35'000u, 1'250'000'000u, 1'999'999'999u}));
}

TEST(SortedEntries, TransformTheirValues) {
  SparseTensor tensor(Shape{2, 2}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{0, 1}, 3);
  SortedEntries sorted = sort_by_mode(tensor, 0, Levels::large_first);
  sorted.transform_values(1, 0.5);
  EXPECT_EQ(sorted.values, (PagedVector<float>{1}));
}

// Long rows are cut into pieces: every entry must be added once, and in the same order by any number of
// threads. 133 of the rows have 2 pieces each, which makes two batches.
TEST(ReduceRows, CoversLongRowsOnceOnAnyNumberOfThreads) {
  const Index size = 17'000, rows = 200;
  std::vector<std::vector<Index>> columns(2);
  std::vector<float> values;
  for (Index row = 0; row < rows; ++row)
    for (Index j = 0; j < (row % 3 == 0 ? 5 : size); ++j) {
      columns[0].push_back(row);
      columns[1].push_back(j);
      values.push_back(static_cast<float>(j % 13));
    }
  const SparseTensor tensor(Cells(Shape{rows, size}, std::move(columns)), std::move(values), Unlisted::zero);
  const SortedEntries entries = sort_by_mode(tensor, 0, Levels::small_first);
  ASSERT_EQ(entries.batches.size(), 3u);
  const auto sums = [&] {
    std::vector<double> result(rows);
    const auto make = [&] {
      return [&](std::size_t begin, std::size_t end, double* sum) {
        for (std::size_t e = begin; e < end; ++e) *sum += entries.values[e] / 3.0;
      };
    };
    reduce_rows(entries, 1, 1, make, [&](std::size_t row, const double* sum) { result[row] += *sum; });
    return result;
  };
  const int before = threads();
  set_threads(1);
  const auto alone = sums();
  set_threads(3);
  EXPECT_EQ(sums(), alone);
  set_threads(before);
  double whole = 0, five = 0;
  for (Index j = 0; j < size; ++j) whole += (j % 13) / 3.0;
  for (Index j = 0; j < 5; ++j) five += j / 3.0;
  for (Index row = 0; row < rows; ++row) EXPECT_NEAR(alone[row], row % 3 == 0 ? five : whole, 1e-9 * whole);
}

}  // namespace
}  // namespace tulle
