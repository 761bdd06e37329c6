#include "estimate/release_design.hpp"

#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace tulle {
namespace {

struct Case {
  Cells cells;
  std::vector<MarginTable> tables = margin_tables(cells);

  explicit Case(const Shape& shape) : cells(observe(DenseTensor(shape), 1, 1).cells()) {}

  ReleaseDesign design(std::vector<double> squares, double scale) const {
    ReleaseDesign design(
        {.tables = tables, .shape = cells.shape(), .cells = static_cast<double>(cells.size())});
    design.draw({.squares = std::move(squares), .scale = scale, .level_stddev = 1e-4});
    return design;
  }
};

double sum(const Division& division) {
  return std::accumulate(division.tables.begin(), division.tables.end(), division.cells);
}

TEST(ReleaseDesign, DividesAllOfEpsilon) {
  const Case given({30, 40});
  for (const double epsilon : {0.1, 3.0})
    EXPECT_NEAR(sum(given.design({0.02, 0.01, 0.001}, 0.01).best(epsilon)), epsilon, 1e-9);
}

// Rows differ, columns do not: mean squares of columns are what the rest of cells and noise leave in them.
TEST(ReleaseDesign, SpendsOnTheModeThatVaries) {
  const Case given({30, 40});
  const double rest = 0.01;
  const Division rows = given.design({0.02 + rest, 0.02 + rest / 40, rest / 30}, 1e-4).best(0.5);
  EXPECT_GT(rows.tables[1], 0.8 * 0.5);
  const Division columns = given.design({0.02 + rest, rest / 40, 0.02 + rest / 30}, 1e-4).best(0.5);
  EXPECT_GT(columns.tables[2], 0.8 * 0.5);
}

// Where positions are known to be alike, sums over them gain little on the level.
TEST(ReleaseDesign, ExpectsLittleOfEffectsThatAreNone) {
  const Case given({30, 40});
  const ReleaseDesign design = given.design({0.01, 0.01 / 40, 0.01 / 30}, 1e-6);
  Division level{{1, 0, 0}, 0}, rows{{0, 1, 0}, 0};
  EXPECT_LT(design.expected_error(level), design.expected_error(rows) + 0.15);
}

TEST(ReleaseDesign, ExpectsLessErrorOfMoreEpsilon) {
  const Case given({12, 10, 8});
  const ReleaseDesign design = given.design({0.03, 0.01, 0.005, 0.005, 0.02, 0.015, 0.01}, 0.001);
  double before = 1e9;
  for (const double epsilon : {0.1, 1.0, 10.0, 100.0}) {
    const double error = design.expected_error(design.best(epsilon));
    EXPECT_LT(error, before);
    before = error;
  }
}

TEST(ReleaseDesign, TakesSingleCellsWhereTheyAreNearlyExact) {
  const Case given({30, 40});
  EXPECT_GT(given.design({0.05, 0.001, 0.001}, 1e-4).best(200).cells, 100);
}

// What differs between blocks is worth sums over them.
TEST(ReleaseDesign, SpendsOnBlocksThatVary) {
  Case given({24, 24, 24});
  const std::vector<ModeOrder> orders(3, {.kind = ModeOrder::Kind::stated});
  given.tables.emplace_back(given.cells, Blocks(given.cells, orders, 60));
  // Of 6 blocks along a mode or so, a row meets 36 and a pair of positions 6.
  const double rest = 0.002, blocks = 0.03, row = blocks / 36 + rest / 576, pair = blocks / 6 + rest / 24;
  std::vector<double> squares{blocks + rest, row, row, row, pair, pair, pair, blocks + rest / 60};
  const double on_blocks = given.design(squares, 1e-4).best(0.5).tables.back();
  EXPECT_GT(on_blocks, 0.4 * 0.5);
  squares = {blocks + rest, blocks, row, row, blocks, blocks, pair, blocks};  // the first mode does
  EXPECT_LT(given.design(squares, 1e-4).best(0.5).tables.back(), on_blocks);
}

}  // namespace
}  // namespace tulle
