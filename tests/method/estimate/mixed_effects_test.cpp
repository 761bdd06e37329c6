#include "estimate/mixed_effects.hpp"

#include "method/completion/entry/effects_of_pairs.hpp"

#include <tulle/base/random.hpp>
#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using testing::filled;
using testing::of_pairs;

// The effects of exact sums over all tables, with next to no noise.
MixedEffects fitted(const SparseTensor& cells, const std::vector<MarginTable>& tables,
                    double variance = 1e-10) {
  MixedEffects effects(cells.cells(), tables);
  for (std::size_t t = 0; t < tables.size(); ++t)
    effects.take(
        t, tables[t].add_up([&](std::size_t cell) { return static_cast<double>(cells.values()[cell]); }),
        variance);
  effects.set_rest(1e-8);
  effects.fit(20, 2);
  return effects;
}

SparseTensor less_half(SparseTensor cells) {
  for (float& value : cells.values()) value -= 0.5f;
  return cells;
}

TEST(MixedEffects, OfExactSumsAreTheEffects) {
  const SparseTensor cells = less_half(observe(filled({20, 15, 12}, of_pairs), 0.9, 1));
  const std::vector<MarginTable> tables = margin_tables(cells.cells());
  const MixedEffects effects = fitted(cells, tables);
  double error = 0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    error = std::max(error, std::abs(effects.expected()[cell] - cells.values()[cell]));
  EXPECT_LT(error, 0.03);
}

TEST(MixedEffects, AsAModelPredictTheSame) {
  const SparseTensor cells = less_half(observe(filled({20, 15, 12}, of_pairs), 0.9, 1));
  const std::vector<MarginTable> tables = margin_tables(cells.cells());
  const MixedEffects effects = fitted(cells, tables);
  const std::vector<double> predicted = effects.model(cells.cells(), 3, 2).predict(cells.cells());
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    EXPECT_NEAR(predicted[cell], 3 + 2 * effects.expected()[cell], 1e-6);
}

// Sums that are nothing but noise leave the level alone, and an outlier does not move it.
TEST(MixedEffects, OfNoiseAreTheLevel) {
  const Cells cells = observe(DenseTensor(Shape{40, 30}), 1, 1).cells();
  const std::vector<MarginTable> tables = margin_tables(cells);
  MixedEffects effects(cells, tables);
  Random random(1);
  std::vector<double> sums;
  for (int row = 0; row < 40; ++row)
    sums.push_back(30 * 0.2 - 5 * (random.chance(0.5) ? 1 : -1) * std::log(1 - random.uniform()));
  sums[3] += 60;
  effects.take(0, std::vector{1200 * 0.2}, 1);
  effects.take(1, sums, 50);
  effects.fit(6, 1);
  EXPECT_NEAR(effects.level(), 0.2, 0.01);
  for (const double expected : effects.expected()) EXPECT_NEAR(expected, 0.2, 0.05);
}

TEST(MixedEffects, WeighReleasesOfATableByTheirPrecision) {
  const Cells cells = observe(DenseTensor(Shape{10, 10}), 1, 1).cells();
  const std::vector<MarginTable> tables = margin_tables(cells);
  MixedEffects once(cells, tables), twice(cells, tables);
  once.take(0, std::vector{13.0}, 3);
  twice.take(0, std::vector{10.0}, 12);
  twice.take(0, std::vector{14.0}, 4);
  for (MixedEffects* effects : {&once, &twice}) effects->fit(1, 0);
  EXPECT_NEAR(once.level(), twice.level(), 1e-12);
}

// A slow wave along a mode, whose single positions drown in noise.
TEST(MixedEffects, AlongAModeThatChangesSlowlyAreSmoothed) {
  const Cells cells = observe(DenseTensor(Shape{100, 20}), 1, 1).cells();
  const std::vector<MarginTable> tables = margin_tables(cells);
  Random random(5);
  std::vector<double> sums;
  for (int i = 0; i < 100; ++i) sums.push_back(20 * (0.1 * std::sin(0.06 * i) + 0.1 * random.normal()));
  double errors[2] = {};
  for (const bool smooth : {false, true}) {
    MixedEffects effects(cells, tables);
    effects.take(1, sums, 4);
    effects.set_rest(1e-6);
    effects.fit(6, 1, smooth);
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      errors[smooth] += std::pow(effects.expected()[cell] - 0.1 * std::sin(0.06 * cells(cell, 0)), 2);
  }
  EXPECT_LT(errors[1], 0.5 * errors[0]);
}

TEST(MixedEffects, FollowPublicCounts) {
  std::vector<std::vector<Index>> columns(2);
  for (Index row = 0; row < 60; ++row)
    for (Index column = 0; column < 1 + row; ++column)
      columns[0].push_back(row), columns[1].push_back(column);
  const Cells cells(Shape{60, 60}, columns);
  const std::vector<MarginTable> tables = margin_tables(cells);
  Random random(2);
  std::vector<double> sums;
  const auto effect = [](double count) { return 0.05 * std::log(count) - 0.15; };
  for (int row = 0; row < 60; ++row) {
    const double count = row + 1;
    sums.push_back(count * effect(count) + 0.7 * random.normal());
  }
  for (const bool smooth : {false, true}) {
    MixedEffects effects(cells, tables);
    effects.take(1, sums, 0.5);
    effects.fit(8, 1, smooth);
    double error = 0, spread = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      error += std::pow(effects.expected()[cell] - effect(cells(cell, 0) + 1.0), 2);
      spread += std::pow(effect(cells(cell, 0) + 1.0) - effect(40), 2);
    }
    EXPECT_LT(error, 0.5 * spread);
  }
}

// Of pairs of two modes, a wave along both.
TEST(MixedEffects, OfPairsThatChangeSlowlyAreSmoothed) {
  const Cells cells = observe(DenseTensor(Shape{30, 40, 4}), 1, 1).cells();
  const std::vector<MarginTable> tables = margin_tables(cells);
  const auto effect = [](Index i, Index j) { return 0.1 * std::sin(0.2 * i) * std::cos(0.15 * j); };
  Random random(5);
  std::vector<double> sums;
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 40; ++j) sums.push_back(4 * (effect(i, j) + 0.1 * random.normal()));
  const auto error_of = [&](ModeOrder::Kind kind) {
    MixedEffects effects(cells, tables, std::vector<ModeOrder>(3, {.kind = kind}));
    effects.take(4, sums, 0.16);
    effects.set_rest(1e-6);
    effects.fit(6, 2, true);
    double error = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      error += std::pow(effects.expected()[cell] - effect(cells(cell, 0), cells(cell, 1)), 2);
    return error;
  };
  EXPECT_LT(error_of(ModeOrder::Kind::possible), 0.3 * error_of(ModeOrder::Kind::none));
}

// Positions without an order have no neighbours: in another order they have the same effects.
TEST(MixedEffects, WithoutAnOrderDoNotDependOnIt) {
  const SparseTensor cells = less_half(observe(filled({20, 15, 12}, of_pairs), 0.9, 1));
  std::vector<std::vector<Index>> columns(3);
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (int mode = 0; mode < 3; ++mode) {
      const Index position = cells.cells()(cell, mode);
      columns[static_cast<std::size_t>(mode)].push_back(mode == 0 ? position * 7 % 20 : position);
    }
  const Cells shuffled(Shape{20, 15, 12}, columns);
  std::vector<double> expected[2];
  for (const Cells* of : {&cells.cells(), &shuffled}) {
    const std::vector<MarginTable> tables = margin_tables(*of);
    MixedEffects effects(*of, tables,
                         {{.kind = ModeOrder::Kind::none}, {.kind = ModeOrder::Kind::stated}, {}});
    for (std::size_t t = 0; t < tables.size(); ++t)
      effects.take(
          t, tables[t].add_up([&](std::size_t cell) { return static_cast<double>(cells.values()[cell]); }),
          0.5);
    effects.fit(6, 2, true);
    expected[of == &shuffled] = effects.expected();
  }
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    EXPECT_NEAR(expected[0][cell], expected[1][cell], 1e-9);
}

// Sums over blocks of cells, which change slowly along all modes, are as good as cells; the model says the
// same.
TEST(MixedEffects, OfBlocksAreSpreadOverTheirCells) {
  const auto effect = [](Index i, Index j, Index k) {
    return 0.2 * std::sin(0.2 * i + 0.1 * j) * std::cos(0.15 * k - 0.1 * j);
  };
  const SparseTensor cells = observe(filled({30, 24, 28}, effect), 0.7, 1);
  const std::vector<ModeOrder> orders(3, {.kind = ModeOrder::Kind::stated});
  std::vector<MarginTable> tables = margin_tables(cells.cells());
  tables.emplace_back(cells.cells(), Blocks(cells.cells(), orders, 30));
  MixedEffects effects(cells.cells(), tables, orders);
  effects.take(tables.size() - 1, tables.back().add_up([&](std::size_t cell) {
    return static_cast<double>(cells.values()[cell]);
  }),
               0.01);
  effects.fit(6, 2, true);
  const std::vector<double> predicted = effects.model(cells.cells(), 3, 2).predict(cells.cells());
  double error = 0, square = 0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    EXPECT_NEAR(predicted[cell], 3 + 2 * effects.expected()[cell], 1e-6);
    error += std::pow(effects.expected()[cell] - cells.values()[cell], 2);
    square += std::pow(cells.values()[cell], 2);
  }
  EXPECT_LT(error, 0.05 * square);
}

}  // namespace
}  // namespace tulle
