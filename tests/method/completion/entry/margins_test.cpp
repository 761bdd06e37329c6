#include "method/completion/entry/effects_of_pairs.hpp"
#include "method/private_run.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

using testing::cp;
using testing::filled;
using testing::of_pairs;
using testing::PrivateRun;

const Shape kShape{50, 24, 60};

PrivateRun margins(double epsilon, std::vector<int> ranks = {}) {
  return {.method = "margins",
          .terms = {.budget = {epsilon, 0}, .range = {0, 1}, .seed = 1},
          .settings = {},
          .fit = {.ranks = std::move(ranks), .seed = 1}};
}

TEST(Margins, FindEffectsOfPairs) {
  const DenseTensor truth = filled(kShape, of_pairs);
  const Completion fit = margins(3)(observe(truth, 0.9, 1));
  EXPECT_LT(testing::rmse(fit.model, truth), 0.15 * testing::deviation_of(truth));
}

TEST(Margins, LeaveTheRestToEntriesWherePositionsAreAlike) {
  const auto wave = [](Index i) { return std::cos(2 * std::numbers::pi * (i + 0.25) / 44); };  // sums to 0
  const DenseTensor truth = filled(
      {44, 44, 44}, [&](Index i, Index j, Index k) { return 0.5 + 0.4 * wave(i) * wave(j) * wave(k); });
  const Completion fit = margins(6, {1})(observe(truth, 1, 1));
  EXPECT_TRUE(std::ranges::any_of(fit.guarantee.releases, [](const Record& record) {
    return record.what == "every entry, in portions";
  }));
  EXPECT_LT(testing::rmse(fit.model, truth), 0.1 * testing::deviation_of(truth));
}

TEST(Margins, OfNothingAreTheMean) {
  const DenseTensor truth = filled(kShape, [](Index, Index, Index) { return 0.3; });
  SparseTensor observed = observe(truth, 0.9, 1);
  Random random(1);
  for (float& value : observed.values()) value = random.uniform() < 0.3 ? 1.0f : 0.0f;
  for (double epsilon : {0.1, 1.0}) EXPECT_LT(testing::rmse(margins(epsilon)(observed).model, truth), 0.03);
}

TEST(Margins, SpendAllAndNoMoreAndNoDelta) {
  const SparseTensor observed = observe(filled(kShape, of_pairs), 0.9, 1);
  for (const Budget& budget : {Budget{0.1, 0}, Budget{2, 1e-6}, Budget{30, 0}, Budget{60, 1e-6}}) {
    PrivateRun run = margins(budget.epsilon, {0});
    run.terms.budget = budget;
    const Guarantee guarantee = run(observed).guarantee;
    EXPECT_EQ(guarantee.status, Guarantee::Status::proven);
    EXPECT_NEAR(guarantee.used.epsilon, budget.epsilon, 1e-5);
    double sum = 0;
    for (const Record& record : guarantee.releases)
      sum += epsilon_upper({&record.event, 1}, Relation::replace, 0).value;
    EXPECT_LE(sum, budget.epsilon * (1 + 1e-9));
    EXPECT_GT(sum, 0.9 * budget.epsilon);
  }
}

TEST(Margins, ReleaseNoTableThatIsWorthNothing) {
  const PrivateRun run = margins(1);
  const Completion fit = run(observe(filled(kShape, of_pairs), 0.9, 1));
  ASSERT_TRUE(fit.measured);
  for (const Release* sums : fit.measured->all("margins"))
    for (std::size_t t = 3; t < sums->chosen.size(); ++t)
      EXPECT_TRUE(sums->chosen[t] == 0 || sums->chosen[t] >= 1e-3) << sums->chosen[t];
}

// Around the budgets from which on entries are released in portions, of few cells.
TEST(Margins, MakeDoWithFewCells) {
  const SparseTensor plane = observe(filled({1, 40, 40}, of_pairs), 1, 1);
  for (double epsilon : {1.0, 9.0, 15.0, 23.0, 27.0, 29.0, 60.0})
    EXPECT_NEAR(margins(epsilon, {1})(plane).guarantee.used.epsilon, epsilon, 1e-8 * epsilon);
}

TEST(Margins, KeepToTheRankThatIsAskedFor) {
  const DenseTensor truth =
      filled(kShape, [](Index i, Index j, Index k) { return of_pairs(i, j, k) + 0.1 * ((i / 3 + j) % 2); });
  const SparseTensor observed = observe(truth, 0.9, 1);
  EXPECT_GT(cp(margins(3)(observed)).rank(), 1);
  const Completion limited = margins(3, {1})(observed);
  EXPECT_EQ(cp(limited).rank(), 1);
  EXPECT_LT(testing::rmse(limited.model, truth), 0.4 * testing::deviation_of(truth));
}

// Two modes and few cells of each position too.
TEST(Margins, TakeAnyShape) {
  for (const Shape& shape : {Shape{50, 60}, Shape{2, 1}, Shape{3, 2, 2, 2, 2}})
    EXPECT_NEAR(margins(1)(observe(DenseTensor(shape), 1, 1)).guarantee.used.epsilon, 1, 1e-8);
}

}  // namespace
}  // namespace tulle
