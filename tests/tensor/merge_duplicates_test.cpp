#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/merge_duplicates.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace tulle {
namespace {

using CellKey = std::array<Index, kMaxOrder>;
constexpr Duplicates kMerging[] = {Duplicates::mean, Duplicates::last, Duplicates::sum, Duplicates::count};

Dataset dataset(SparseTensor tensor) {
  auto modes = unnamed_modes(tensor.order());
  return {std::move(modes), std::move(tensor)};
}

SparseTensor merged(const SparseTensor& rows, Duplicates duplicates) {
  Dataset data = dataset(rows);
  merge_duplicates(data, duplicates, "x", false);
  EXPECT_EQ(data.merged_rows, rows.size() - data.listed());
  return std::get<SparseTensor>(data.tensor);
}

SparseTensor random_rows(const Shape& shape, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  SparseTensor rows(shape, Unlisted::missing);
  for (std::size_t row = 0; row < count; ++row) {
    std::vector<Index> cell;
    for (int mode = 0; mode < shape.order(); ++mode)
      cell.push_back(static_cast<Index>(random.below(shape[mode])));
    rows.append(cell, static_cast<float>(random.normal()));
  }
  return rows;
}

std::map<CellKey, std::vector<float>> rows_by_cell(const SparseTensor& rows) {
  std::map<CellKey, std::vector<float>> cells;
  for (std::size_t row = 0; row < rows.size(); ++row)
    cells[rows.cells().cell(row)].push_back(rows.values()[row]);
  return cells;
}

float by_definition(const std::vector<float>& values, Duplicates duplicates) {
  double sum = 0;
  for (float value : values) sum += value;
  switch (duplicates) {
    case Duplicates::mean:
      return static_cast<float>(sum / static_cast<double>(values.size()));
    case Duplicates::last:
      return values.back();
    case Duplicates::sum:
      return static_cast<float>(sum);
    default:
      return static_cast<float>(values.size());
  }
}

RC_GTEST_PROP(MergeDuplicates, AsByDefinition, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::uint64_t>(1, 9);
  const auto count = *rc::gen::inRange<std::size_t>(0, 80);
  const SparseTensor rows = random_rows(Shape{size, 2, size}, count, seed);
  const auto cells = rows_by_cell(rows);
  for (const Duplicates duplicates : kMerging) {
    const SparseTensor result = merged(rows, duplicates);
    RC_ASSERT(result.size() == cells.size());
    std::size_t entry = 0;
    for (const auto& [cell, values] : cells) {  // in the order of the cells
      RC_ASSERT(result.cells().cell(entry) == cell);
      RC_ASSERT(result.values()[entry++] == by_definition(values, duplicates));
    }
  }
}

// What the proof for private runs needs: rows of one cell keep their order, and how they are mixed with those
// of other cells does not show.
RC_GTEST_PROP(MergeDuplicates, DoNotDependOnHowRowsOfDifferentCellsAreMixed, (std::uint64_t seed)) {
  const SparseTensor rows = random_rows(Shape{4, 3}, *rc::gen::inRange<std::size_t>(0, 60), seed);
  SparseTensor cell_by_cell(rows.shape(), Unlisted::missing);
  const auto cells = rows_by_cell(rows);
  for (auto each = cells.rbegin(); each != cells.rend(); ++each)
    for (float value : each->second) cell_by_cell.append(std::span(each->first).first(2), value);
  for (const Duplicates duplicates : kMerging)
    RC_ASSERT(merged(rows, duplicates) == merged(cell_by_cell, duplicates));
}

// Modes much longer than the list are sorted by another algorithm.
TEST(MergeDuplicates, LongModes) {
  const Index far = 4'000'000'000;
  const SparseTensor rows(
      Cells(Shape{kMaxDimension, kMaxDimension}, {{far, 3, far, 3}, {7, far, 7, far - 1}}), {1, 2, 5, 4},
      Unlisted::zero);
  EXPECT_EQ(merged(rows, Duplicates::mean),
            SparseTensor(Cells(Shape{kMaxDimension, kMaxDimension}, {{3, 3, far}, {far - 1, far, 7}}),
                         {4, 2, 3}, Unlisted::zero));
}

TEST(MergeDuplicates, SumsInDoublePrecision) {
  const SparseTensor rows(Cells(Shape{1, 1}, {{0, 0, 0}, {0, 0, 0}}), {1e8f, 1, -1e8f}, Unlisted::missing);
  EXPECT_EQ(merged(rows, Duplicates::sum).values()[0], 1);
}

TEST(MergeDuplicates, ASumBeyondSinglePrecisionIsAnErrorOrClamped) {
  const SparseTensor rows(Cells(Shape{1, 2}, {{0, 0}, {1, 1}}), {3e38f, 3e38f}, Unlisted::missing);
  EXPECT_EQ(merged(rows, Duplicates::mean).values()[0], 3e38f);
  Dataset data = dataset(rows);
  data.modes[1].labels = {"home", "shop"};
  try {
    merge_duplicates(data, Duplicates::sum, "x.csv", false);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "x.csv: the rows of cell (1, shop) add up to 6e+38, too large for single precision; scale "
                 "the values");
  }
  merge_duplicates(data, Duplicates::sum, "x.csv", true);
  EXPECT_EQ(std::get<SparseTensor>(data.tensor).values()[0], std::numeric_limits<float>::max());
}

TEST(MergeDuplicates, AnArrayHoldsEveryCellOnce) {
  DenseTensor tensor(Shape{1, 2});
  std::ranges::fill(tensor.values(), 7.0);
  Dataset data{unnamed_modes(2), tensor};
  merge_duplicates(data, Duplicates::sum, "x", false);
  EXPECT_EQ(std::get<DenseTensor>(data.tensor).values()[1], 7);
  merge_duplicates(data, Duplicates::count, "x", false);
  EXPECT_EQ(std::get<DenseTensor>(data.tensor).values()[1], 1);
}

TEST(MergeDuplicates, NothingIsMergedUnlessAsked) {
  Dataset data = dataset(SparseTensor(Cells(Shape{1, 1}, {{0, 0}, {0, 0}}), {1, 2}, Unlisted::missing));
  merge_duplicates(data, Duplicates::refuse, "x", false);
  EXPECT_EQ(data.listed(), 2);
}

TEST(Duplicates, HaveNames) {
  for (const Duplicates duplicates : kMerging) EXPECT_EQ(duplicates_of(name(duplicates)), duplicates);
  EXPECT_EQ(duplicates_of("refuse"), Duplicates::refuse);
  EXPECT_THROW(duplicates_of("median"), UsageError);
}

}  // namespace
}  // namespace tulle
