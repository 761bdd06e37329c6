#include <tulle/base/error.hpp>
#include <tulle/model/counts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// 100 events: half at each position of the first mode, the second depends on the first, the third is alone.
// One of the 12 cells is kept.
Counts forest() {
  SparseCounts counts{.extent = Shape{2, 3, 2},
                      .events = {100, 5},
                      .modes = {},
                      .places = {7},
                      .counts = {40},
                      .variances = {9}};
  counts.modes.push_back({0, -1, {0.5, 0.5}, {1, 1}});
  counts.modes.push_back({1, 0, {1, 0, 0, 0.2, 0.3, 0.5}, {1, 1, 1, 1, 1, 1}});
  counts.modes.push_back({2, -1, {0.25, 0.75}, {4, 4}});
  return {DenseTensor(Shape{1, 1}), {}, counts};
}

std::vector<double> cells_of_forest() {
  std::vector<double> cells = {12.5, 37.5, 0, 0, 0, 0, 2.5, 7.5, 3.75, 11.25, 6.25, 18.75};
  cells[7] = 40;
  return cells;
}

TEST(SparseCounts, CellsFollowTheForestOrAreKept) {
  const Counts counts = forest();
  EXPECT_EQ(counts.shape().text(), "2x3x2");
  const std::vector<double> expected = cells_of_forest();
  for (std::size_t place = 0; place < expected.size(); ++place) {
    const auto cell = cell_of_place(counts.shape(), place);
    EXPECT_NEAR(counts.sparse->at(std::span(cell).first(3)), expected[place], 1e-12) << place;
  }
  EXPECT_THROW(counts.reconstruct(), Error);
}

// Every block that a mask of positions by mode makes.
TEST(SparseCounts, SumsAreThoseOfTheirCells) {
  const Counts counts = forest();
  const std::vector<double> cells = cells_of_forest();
  for (int mask = 0; mask < 128; ++mask) {
    Block block(3);
    for (Index i = 0; i < 2; ++i)
      if ((mask >> i & 1) != 0) block[0].push_back(i);
    for (Index i = 0; i < 3; ++i)
      if ((mask >> (2 + i) & 1) != 0) block[1].push_back(2 - i);
    for (Index i = 0; i < 2; ++i)
      if ((mask >> (5 + i) & 1) != 0) block[2].push_back(i);
    double sum = 0;
    for (std::size_t place = 0; place < cells.size(); ++place) {
      const auto cell = cell_of_place(counts.shape(), place);
      bool inside = true;
      for (std::size_t mode = 0; mode < 3; ++mode)
        inside = inside && (block[mode].empty() || std::ranges::count(block[mode], cell[mode]) == 1);
      if (inside) sum += cells[place];
    }
    EXPECT_NEAR(counts.sum(block).mean, sum, 1e-9) << mask;
    EXPECT_TRUE(std::isfinite(counts.sum(block).stddev));
  }
}

TEST(SparseCounts, SumsByPositionAreThoseOfBlocks) {
  const Counts counts = forest();
  const auto sums = sums_by_position(counts);
  for (std::size_t mode = 0; mode < 3; ++mode)
    for (Index position = 0; position < sums[mode].size(); ++position) {
      Block block(3);
      block[mode] = {position};
      EXPECT_NEAR(sums[mode][position], counts.sum(block).mean, 1e-9);
    }
}

// The number of events by its own error; the kept cell by its.
TEST(SparseCounts, ErrorsAreThoseOfTablesAndOfKeptCells) {
  Counts counts = forest();
  EXPECT_NEAR(counts.sum({{}, {}, {}}).stddev, std::sqrt(25.0 + 9), 1e-9);
  counts.sparse->places.clear(), counts.sparse->counts.clear(), counts.sparse->variances.clear();
  EXPECT_NEAR(counts.sum({{}, {}, {}}).stddev, 5, 1e-9);
  // A position of the third mode: a quarter of the number's error, and of its own variance what others leave.
  EXPECT_NEAR(counts.sum({{}, {}, {0}}).stddev, std::sqrt(25.0 / 16 + 4 * 0.75), 1e-9);
}

TEST(SparseCounts, AreChecked) {
  EXPECT_NO_THROW(check(forest()));
  const auto refused = [](auto change) {
    Counts counts = forest();
    change(*counts.sparse);
    EXPECT_THROW(check(counts), Error);
  };
  refused([](SparseCounts& counts) { counts.modes.pop_back(); });
  refused([](SparseCounts& counts) { counts.modes[0].parent = 1; });
  refused([](SparseCounts& counts) { counts.modes[1].mode = 0; });
  refused([](SparseCounts& counts) { counts.modes[1].shares.pop_back(); });
  refused([](SparseCounts& counts) { counts.modes[2].shares[0] = -1; });
  refused([](SparseCounts& counts) { counts.places[0] = 12; });
  refused([](SparseCounts& counts) { counts.counts[0] = -1; });
  refused([](SparseCounts& counts) { counts.variances.clear(); });
  refused([](SparseCounts& counts) { counts.events.mean = NAN; });
}

}  // namespace
}  // namespace tulle
