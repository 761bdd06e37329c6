#include "expect_error.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/bi_scaling.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

namespace tulle {
namespace {

using Cell3 = std::array<Index, 3>;

// Ratings with effects of rows, columns and matrices, both on the level and on the spread.
SparseTensor ratings(const Shape& shape, double density, std::uint64_t seed) {
  Random random(seed);
  SparseTensor result(shape, Unlisted::missing);
  for (Index i = 0; i < shape[0]; ++i)
    for (Index j = 0; j < shape[1]; ++j)
      for (Index k = 0; k < shape[2]; ++k)
        if (random.chance(density))
          result.append(Cell3{i, j, k}, static_cast<float>(3 + 0.3 * i - 0.2 * j + k +
                                                           (1 + 0.1 * i) * (1 + 0.05 * j) * random.normal()));
  return result;
}

struct Line {
  std::vector<double> values;
  double mean() const {
    double sum = 0;
    for (double v : values) sum += v;
    return sum / static_cast<double>(values.size());
  }
  double variance() const {
    double squares = 0;
    for (double v : values) squares += (v - mean()) * (v - mean());
    return squares / static_cast<double>(values.size());
  }
};

std::map<std::pair<Index, Index>, Line> lines(const SparseTensor& data, int mode, int matrix_mode) {
  std::map<std::pair<Index, Index>, Line> result;
  for (std::size_t e = 0; e < data.size(); ++e)
    result[{data.column(matrix_mode)[e], data.column(mode)[e]}].values.push_back(data.values()[e]);
  return result;
}

// float32 of the scaled values allows 1e-6.
TEST(BiScaling, RowsAndColumnsOfEveryMatrixAreStandardised) {
  const SparseTensor data = ratings(Shape{15, 12, 3}, 0.7, 1);
  const BiScaling scaling = BiScaling::fit(data);
  EXPECT_LE(scaling.deviation_left(), 1e-7);
  const SparseTensor scaled = scaling.scale(data);
  for (int mode : {0, 1})
    for (const auto& [place, line] : lines(scaled, mode, 2)) {
      ASSERT_GT(line.values.size(), 1u);
      EXPECT_NEAR(line.mean(), 0, 2e-6);
      EXPECT_NEAR(line.variance(), 1, 2e-6);
    }
}

// Any two modes can be the rows and the columns.
TEST(BiScaling, OtherModes) {
  const SparseTensor data = ratings(Shape{3, 14, 12}, 0.8, 2);
  BiScaling::Options options;
  options.rows = 2;
  options.columns = 1;
  const SparseTensor scaled = BiScaling::fit(data, options).scale(data);
  for (int mode : {1, 2})
    for (const auto& [place, line] : lines(scaled, mode, 0)) {
      EXPECT_NEAR(line.mean(), 0, 2e-6);
      EXPECT_NEAR(line.variance(), 1, 2e-6);
    }
}

// A matrix has one answer, whatever lies in the others.
TEST(BiScaling, MatricesAreScaledApart) {
  const SparseTensor data = ratings(Shape{10, 9, 2}, 0.9, 3);
  std::vector<std::size_t> first;
  for (std::size_t e = 0; e < data.size(); ++e)
    if (data.column(2)[e] == 0) first.push_back(e);
  const SparseTensor alone = data.select(first);
  BiScaling::Options options;
  options.tolerance = 1e-12;
  const SparseTensor together = BiScaling::fit(data, options).scale(data).select(first);
  const SparseTensor apart = BiScaling::fit(alone, options).scale(alone);
  for (std::size_t e = 0; e < apart.size(); ++e) EXPECT_NEAR(together.values()[e], apart.values()[e], 1e-5);
}

// What is standardised already stays: x = +-1 in a checkerboard.
TEST(BiScaling, FixedPoint) {
  SparseTensor board(Shape{4, 4}, Unlisted::missing);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) board.append(std::array<Index, 2>{i, j}, (i + j) % 2 ? 1.0f : -1.0f);
  const BiScaling scaling = BiScaling::fit(board);
  EXPECT_EQ(scaling.sweeps(), 1);
  EXPECT_EQ(scaling.scale(board), board);
}

// By hand, 2 x 2: rows (1, 3) and (7, 5). The mean is 4, the deviation sqrt(5); rows have means 2 and 6,
// columns then 0 and 0, and what is left is (-1, 1), (1, -1), which scales to +-1.
TEST(BiScaling, ByHand) {
  SparseTensor data(Shape{2, 2}, Unlisted::missing);
  for (const auto& [i, j, x] : {std::tuple{0u, 0u, 1.f}, {0u, 1u, 3.f}, {1u, 0u, 7.f}, {1u, 1u, 5.f}})
    data.append(std::array<Index, 2>{i, j}, x);
  const BiScaling scaling = BiScaling::fit(data);
  const SparseTensor scaled = scaling.scale(data);
  const std::array<float, 4> expected = {-1, 1, 1, -1};
  for (int e = 0; e < 4; ++e) EXPECT_NEAR(scaled.values()[e], expected[e], 1e-6);
  // A prediction of 0 is the row's mean, of 2 two units of spread above.
  Cells cells(data.shape());
  cells.append(std::array<Index, 2>{0, 0});
  cells.append(std::array<Index, 2>{1, 1});
  const auto restored = scaling.restore(cells, std::array<double, 2>{0, 2});
  EXPECT_NEAR(restored[0], 2, 1e-12);
  EXPECT_NEAR(restored[1], 8, 1e-12);
}

// Whatever the pattern: every scaled value is finite, and the way back is exact.
RC_GTEST_PROP(BiScaling, ComesBackFromAnyPattern, ()) {
  const Shape shape{4, 5, 3};
  const auto entries = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 60), rc::gen::inRange(1, 6))));
  std::map<int, int> distinct(entries.begin(), entries.end());
  SparseTensor data(shape, Unlisted::missing);
  for (const auto& [cell, value] : distinct)
    data.append(
        Cell3{static_cast<Index>(cell / 15), static_cast<Index>(cell / 3 % 5), static_cast<Index>(cell % 3)},
        static_cast<float>(value));
  const BiScaling scaling = BiScaling::fit(data);
  const SparseTensor scaled = scaling.scale(data);
  const std::vector<double> z(scaled.values().begin(), scaled.values().end());
  const auto restored = scaling.restore(data.cells(), z);
  for (std::size_t e = 0; e < data.size(); ++e) {
    RC_ASSERT(std::isfinite(z[e]));
    RC_ASSERT(std::abs(restored[e] - data.values()[e]) < 1e-4);
  }
}

// One entry per row and one per column: nothing to standardise but the matrix itself.
TEST(BiScaling, SingleEntriesKeepTheirValue) {
  SparseTensor data(Shape{2, 2}, Unlisted::missing);
  data.append(std::array<Index, 2>{0, 0}, 1);
  data.append(std::array<Index, 2>{1, 1}, 5);
  const SparseTensor scaled = BiScaling::fit(data).scale(data);
  EXPECT_EQ(scaled.values()[0], -1);
  EXPECT_EQ(scaled.values()[1], 1);
}

// A row of equal values ends at zero, not at a division by it.
TEST(BiScaling, EqualValues) {
  SparseTensor data(Shape{2, 3}, Unlisted::missing);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j) data.append(std::array<Index, 2>{i, j}, 4);
  const BiScaling scaling = BiScaling::fit(data);
  const SparseTensor scaled = scaling.scale(data);
  for (float value : scaled.values()) EXPECT_EQ(value, 0);
  EXPECT_EQ(scaling.restore(data.cells(), std::vector<double>(6, 0.0)), std::vector<double>(6, 4.0));
}

// Not seen in its matrix: the matrix's level; a matrix not seen: the level of all. Values 1 and 5 in the one
// matrix seen: mean 3, deviation 2.
TEST(BiScaling, CellsNotSeen) {
  SparseTensor data(Shape{3, 3, 2}, Unlisted::missing);
  data.append(Cell3{0, 0, 0}, 1);
  data.append(Cell3{1, 1, 0}, 5);
  const BiScaling scaling = BiScaling::fit(data);
  Cells cells(data.shape());
  cells.append(Cell3{2, 2, 0});
  cells.append(Cell3{2, 2, 1});
  EXPECT_EQ(scaling.restore(cells, std::array<double, 2>{0, 1}), (std::vector<double>{3, 5}));
}

TEST(BiScaling, ThreadsDoNotMatter) {
  const SparseTensor data = ratings(Shape{40, 30, 4}, 0.3, 4);
  const int before = threads();
  set_threads(1);
  const SparseTensor alone = BiScaling::fit(data).scale(data);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(BiScaling::fit(data).scale(data), alone);
  }
  set_threads(before);
}

TEST(BiScaling, RefusesBadInput) {
  const SparseTensor data = ratings(Shape{3, 3, 3}, 1, 5);
  BiScaling::Options same, outside;
  same.columns = 0;
  outside.rows = 3;
  expect_error<UsageError>([&] { BiScaling::fit(data, same); }, "rows and columns are both mode 1");
  expect_error<UsageError>([&] { BiScaling::fit(data, outside); }, "mode 4 of a 3x3x3 tensor");
  expect_error([] { BiScaling::fit(SparseTensor(Shape{2, 2}, Unlisted::missing)); }, "at least one entry");
  expect_error([&] { BiScaling::fit(data).scale(ratings(Shape{4, 3, 3}, 1, 5)); }, "of a 3x3x3 tensor");
  expect_error([&] { BiScaling::fit(data).restore(data.cells(), std::array<double, 1>{0}); },
               "27 cells, but 1 predictions");
  SparseTensor counts(Shape{2, 2}, Unlisted::zero);
  counts.append(std::array<Index, 2>{0, 0}, 1);
  expect_error([&] { BiScaling::fit(counts); }, "unlisted cells are zeros");
}

}  // namespace
}  // namespace tulle
