#include "completion/entry/private_ridge.hpp"

#include "method/private_request.hpp"
#include "solve/absorbing_sum.hpp"

#include <tulle/data/generate.hpp>
#include <tulle/privacy/account/accountant.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using testing::private_request;

// One row of 24,000 cells whose partial sums are large when the value that changes is added. Of a model of
// rank 1 that starts at signs, all derivatives are 1 or -1: the right-hand side changes by 2 at most, and by
// two steps of its grid, whatever the order of the cells.
TEST(PrivateRidge, OneValueChangesALongRightHandSideByAtMostItsSensitivity) {
  const testing::AbsorbingSum row{12, 20'000};
  const Terms terms{.budget = {1, 0}, .range = {-1, 1}};
  const SparseTensor zeros = testing::absorbing_row(row, 0, [](Index) { return 0; });  // their mean is 0 too
  const PrivateRequest request = private_request(zeros, terms, {.ranks = {1}, .seed = 1});
  const ModelLayout layout = layout_of(request);
  Curator curator = Curator::without_privacy();
  PrivateRidge ridge(request, layout, RidgeNoise::planned(request, 1, curator), curator);
  const auto sign = [&](Index j) { return ridge.numbers()[layout.row(1, j)]; };
  const auto one = ridge.right_hand_sides(0, testing::absorbing_row(row, 1, sign), 1);
  const auto other = ridge.right_hand_sides(0, testing::absorbing_row(row, -1, sign), 1);
  EXPECT_LE(testing::l2_distance(one, other), 2 + 2 * ridge.grid_for(1).step());
}

// With Laplace noise epsilons add up; with Gaussian noise the squares of mu do.
TEST(RidgeNoise, SharesTheWholeBudget) {
  for (const double delta : {0.0, 1e-6})
    for (const int releases : {1, 4}) {
      const Terms terms{.budget = {2, delta}, .range = {-3, 3}};
      const PrivateRequest request =
          private_request(observe(generate_cp(Shape{3, 3, 3}, 1, 3).noisy, 0.6, 4), terms);
      Curator curator =
          Curator::with_budget(terms.budget, Unit::entry, Relation::replace, RandomBits::seeded(1));
      const RidgeNoise noise = RidgeNoise::planned(request, releases, curator);
      EXPECT_EQ(noise.gaussian, delta > 0);
      if (delta == 0) {
        EXPECT_NEAR(noise.moments, 0.04, 1e-10);
      }
      const double epsilon = epsilon_upper(curator.dues(), Relation::replace, delta).value;
      EXPECT_NEAR(epsilon, 2, 1e-9) << delta << " " << releases;
    }
}

struct Fitted {
  PrivateRequest request;
  ModelLayout layout;
  Curator curator = Curator::without_privacy();
  PrivateRidge ridge;

  explicit Fitted(const SparseTensor& data)
      : request(private_request(data, {.budget = {1, 0}, .range = {-3, 3}}, {.ranks = {2}, .seed = 1})),
        layout(layout_of(request)),
        ridge(request, layout, RidgeNoise::planned(request, 3, curator), curator) {}
};

TEST(PrivateRidge, NormalisesColumnsAndBoundsRows) {
  Fitted fitted(observe(generate_cp(Shape{10, 9, 8}, 2, 3).noisy, 0.6, 4));
  fitted.ridge.fit(0, false);
  fitted.ridge.normalise(0);
  double squares = 0, longest = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    const double* const row = fitted.ridge.numbers().data() + fitted.layout.row(0, i);
    squares += row[0] * row[0];
    longest = std::max(longest, std::hypot(row[0], row[1]));
  }
  EXPECT_LE(squares, 10 * (1 + 1e-9));  // 10 but for rows that were shortened
  EXPECT_GT(squares, 5);
  EXPECT_LE(longest, 1.5 * std::sqrt(2.0) * (1 + 1e-9));
}

// Without noise a few rounds explain most of the variance.
TEST(PrivateRidge, FitsBlockByBlock) {
  const Synthetic made = generate_cp(Shape{10, 9, 8}, 2, 3, 1e3);
  const SparseTensor observed = observe(made.noisy, 0.9, 4);
  Fitted fitted(observed);
  for (int round = 0; round < 3; ++round)
    for (int piece = 0; piece < fitted.ridge.pieces(); ++piece) {
      fitted.ridge.fit(piece, false);
      if (round + 1 < 3 || piece + 1 < fitted.ridge.pieces()) fitted.ridge.normalise(piece);
    }
  const std::vector<double> predicted = predict(fitted.ridge.model(), observed.cells());
  double error = 0, mean = 0, variance = 0;
  for (float value : observed.values()) mean += value / static_cast<double>(observed.size());
  for (std::size_t cell = 0; cell < observed.size(); ++cell) {
    error += std::pow(predicted[cell] - observed.values()[cell], 2);
    variance += std::pow(observed.values()[cell] - mean, 2);
  }
  EXPECT_LT(error, 0.2 * variance);
}

// Values that are all the same leave nothing to explain: the last block becomes zero.
TEST(PrivateRidge, TheLastBlockBecomesZeroWhereThereIsNothing) {
  SparseTensor same(Shape{4, 4}, Unlisted::missing);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) same.append(std::array<Index, 2>{i, j}, 1.5f);
  Fitted fitted(same);
  fitted.ridge.fit(0, true);
  for (std::size_t i = 0; i < fitted.layout.factor_size(0); ++i) EXPECT_EQ(fitted.ridge.numbers()[i], 0);
  EXPECT_NEAR(predict(fitted.ridge.model(), same.cells())[0], 1.5, 1e-6);
}

}  // namespace
}  // namespace tulle
