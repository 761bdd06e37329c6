#include "completion/entry/margin_sums.hpp"

#include "method/private_request.hpp"

#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using testing::private_request;

// Cells 0 and 1 of row 0, 2 of row 1; in widths around the middle: -1/2, 1/2, 1/4.
SparseTensor three_cells() {
  return SparseTensor(Cells(Shape{2, 2}, {{0, 0, 1}, {0, 1, 0}}), {0, 4, 3}, Unlisted::missing);
}

struct Given {
  PrivateRequest request = private_request(three_cells(), {.budget = {1, 0}, .range = {0, 4}});
  std::vector<MarginTable> tables = margin_tables(request.data.positions());
  Curator curator = Curator::without_privacy();
};

TEST(MarginSums, AreWeightedSumsInWidths) {
  Given given;
  const Release sums =
      release_margins(given.request, given.tables, {.weights = {0.5, 0.25, 0}}, 1, given.curator);
  EXPECT_EQ(sums.values, (std::vector<double>{0.125, 0, 0.0625}));
}

TEST(MarginSums, OfAWindowAreClampedAroundItsMiddle) {
  Given given;
  const std::vector<double> about{-0.25, 0.25, 0.25};
  const Release sums = release_margins(
      given.request, given.tables, {.weights = {0, 1, 0}, .window = 0.25, .about = about}, 1, given.curator);
  EXPECT_EQ(sums.values, (std::vector<double>{-0.375 + 0.375, 0.25}));
}

TEST(MarginSums, AreTakenAsTheyWereReleased) {
  Given given;
  MixedEffects effects(given.request.data.positions(), given.tables);
  Release sums =
      release_margins(given.request, given.tables,
                      {.weights = {0.5, 0, 0}, .rest = 0.01, .most_deviation = 0.4}, 1, given.curator);
  sums.deviation = 1e-6;
  take_margins(sums, given.tables, effects);
  effects.fit(1, 0);
  EXPECT_NEAR(effects.level(), 0.25 / 3, 0.01);
  sums.values.push_back(0);
  EXPECT_THROW(take_margins(sums, given.tables, effects), Error);
  sums.chosen.pop_back();
  EXPECT_THROW(take_margins(sums, given.tables, effects), Error);
}

// Around the level 1/4: -3/4, clamped to -1/2, 1/4 and 0.
TEST(MarginSums, OfSquaresAreThoseOfMeansTimesCells) {
  Given given;
  const Release squares = release_squares(given.request, given.tables, 0.25, 1, 1, given.curator);
  EXPECT_EQ(squares.values, (std::vector<double>{0.25 + 0.0625, std::pow(-0.25, 2) / 2, 0.25 / 2 + 0.0625}));
}

// One cell of a group of n, all at an end of the window, moves to the other end.
TEST(MarginSums, OfSquaresChangeByNoMoreThanTheirSensitivity) {
  for (const double window : {1.0, 0.5}) {
    double changes[3] = {};
    for (std::size_t t = 0; t < 3; ++t) {
      double values[2];
      for (const int side : {0, 1}) {
        std::vector<float> at(9, 1);
        at[4] = static_cast<float>(1 - side);
        DenseTensor dense(Shape{3, 3});
        const PrivateRequest request =
            private_request(SparseTensor(observe(dense, 1, 1).cells(), at, Unlisted::missing),
                            {.budget = {1, 0}, .range = {0, 1}});
        Curator curator = Curator::without_privacy();
        values[side] =
            release_squares(request, margin_tables(request.data.positions()), 0, window, 1, curator)
                .values[t];
      }
      changes[t] = std::abs(values[1] - values[0]);
    }
    EXPECT_LE(changes[0] + changes[1] + changes[2], 2 * window * window + window * window / 4);
    EXPECT_GT(changes[1], 0.5 * window * window);
  }
}

}  // namespace
}  // namespace tulle
