#include "counts/table_shares.hpp"

#include "method/counts/made_events.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

CountRequest request_for(const Shape& shape, Relation relation = Relation::add_remove) {
  return {.shape = shape,
          .relation = relation,
          .budget = {1, 0},
          .events = Protected(SparseTensor(shape, Unlisted::zero))};
}

TableDesign designed(const Shape& shape, double epsilon, std::optional<double> events = {}) {
  const CountRequest request = request_for(shape);
  return design_tables(request, noise_of_shares(request, Loss::pure, epsilon), events);
}

double share_of(const TableDesign& design, ModeSet modes) {
  for (const TableShare& table : design.tables)
    if (table.modes == modes) return table.share;
  return 0;
}

TEST(TableShares, AddUpToAllOfTheBudgetAndReachEveryCell) {
  for (const Shape& shape :
       {Shape{2, 3}, Shape{30, 30, 1464}, Shape{5, 1, 7}, Shape{1, 1}, Shape{3, 3, 3, 3, 3, 3}})
    for (const double epsilon : {1e-6, 0.1, 1.0, 1000.0})
      for (const std::optional<double> events : {std::optional<double>(), {1.0}, {1e4}, {1e9}}) {
        const TableDesign design = designed(shape, epsilon, events);
        double sum = 0;
        for (const TableShare& table : design.tables) {
          EXPECT_TRUE(table.share > 0) << shape.text() << ' ' << epsilon;
          sum += table.share;
        }
        EXPECT_NEAR(sum, 1, 1e-12) << shape.text() << ' ' << epsilon;
        EXPECT_EQ(design.tables.back().modes, all_modes(shape)) << shape.text();
      }
}

// 8 events per cell against noise of 1.4 and of 140: single cells cannot be had from the tables of few modes,
// or not without them.
TEST(TableShares, FollowFromTheNumberOfEventsAndTheNoise) {
  const Shape shape{30, 30, 1464};
  EXPECT_GT(share_of(designed(shape, 1, 1e7), 0b111), 0.9);
  EXPECT_LT(share_of(designed(shape, 0.01, 1e7), 0b111), 0.5);
  EXPECT_LT(share_of(designed(shape, 1, 1e4), 0b111), 0.5);
  EXPECT_GT(share_of(designed(shape, 1, 1e4), 0b001), 0);
}

TEST(TableShares, NoiseIsForTheCellsThatAnEventChanges) {
  const CountRequest added = request_for({2, 3}), replaced = request_for({2, 3}, Relation::replace);
  EXPECT_EQ(noise_of_shares(added, Loss::pure, 0.5).whole, 0.5);
  EXPECT_EQ(noise_of_shares(replaced, Loss::pure, 0.5).whole, 0.25);
  EXPECT_EQ(noise_of_shares(added, Loss::gaussian, 4).whole, 0.25);
  EXPECT_NEAR(noise_of_shares(replaced, Loss::gaussian, 4).whole, 0.25 / std::sqrt(2), 1e-15);
}

TEST(TableShares, PrecisionIsThatOfTheNoise) {
  const CountRequest request = request_for({2, 3});
  for (const Loss loss : {Loss::pure, Loss::gaussian}) {
    const double stddev = table_noise(request, 0b11, loss, 0.5).deviation();
    EXPECT_NEAR(noise_of_shares(request, loss, 0.5).precision(1) * stddev * stddev, 1, 1e-6);
    const NoiseOfShares noise = noise_of_shares(request, loss, 0.5);
    EXPECT_NEAR((noise.precision(0.501) - noise.precision(0.499)) / 0.002, noise.slope(0.5), 1e-4);
  }
}

TEST(TableShares, ErrorsGrowWithNoiseAndWithRowsThatAreLost) {
  const auto error = [](double lost, double epsilon) {
    const LogOfRows log{.rows = 1e5, .lost = lost, .weight = 1};
    return expected_error({5, 6}, {Loss::pure, epsilon}, std::span(&log, 1));
  };
  EXPECT_LT(error(0, 1), error(0, 0.1));
  EXPECT_LT(error(0, 1), error(1e4, 1));
  EXPECT_LT(error(1e4, 1), error(5e4, 1));
  EXPECT_NEAR(error(0, 1), designed({5, 6}, 1, 1e5).criterion, 1e-12);
}

}  // namespace
}  // namespace tulle
