#include "planted.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/solve/cp/complete_als.hpp>
#include <tulle/solve/cp/complete_sgd.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::even_model;
using testing::message_of;
using testing::plant;
using testing::random_model;
using testing::rmse;
using testing::spread;

CpCompletionSgdOptions options_with(int rank, int epochs) {
  CpCompletionSgdOptions options;
  options.rank = rank;
  options.control.max_iterations = epochs;
  return options;
}

TEST(CompleteCpSgd, FindsHiddenCellsOfEveryOrder) {
  const std::uint64_t sizes[] = {9, 8, 5, 2, 2, 2, 2, 2};
  for (int order = kMinOrder; order <= kMaxOrder; ++order) {
    const auto data = plant(even_model(Shape(std::span(sizes, order)), 1, 20 + order), 0.6, 0, 3);
    auto options = options_with(1, 60);
    options.biases = false;
    options.start =
        Start::spectral;  // finds the sign of every mode, which a random start seldom does for eight
    const auto fit = complete_cp_sgd(data.observed, options);
    EXPECT_LT(rmse(fit.model, data.hidden), 0.15 * spread(data.hidden)) << order;
  }
}

// Both minimise the same: what they find must predict alike.
TEST(CompleteCpSgd, AgreesWithAlternatingLeastSquares) {
  const auto data = plant(random_model(Shape{20, 20, 20}, 3, 1), 0.4, 1.5, 2);
  CpCompletionAlsOptions als;
  als.rank = 3;
  auto sgd = options_with(3, 100);
  const double reference = rmse(complete_cp_als(data.observed, als).model, data.hidden);
  EXPECT_LT(rmse(complete_cp_sgd(data.observed, sgd).model, data.hidden), 1.15 * reference);
  als.ridge = sgd.ridge = 10;
  const double fixed = rmse(complete_cp_als(data.observed, als).model, data.hidden);
  sgd.control.max_iterations = 300;
  EXPECT_NEAR(rmse(complete_cp_sgd(data.observed, sgd).model, data.hidden), fixed, 0.15 * fixed);
}

// The simulation of Wei et al. 2022, section 5.1: 20 x 20 x 20, rank 3, half of the cells missing, noise as
// strong as the signal. No seed may stop early by chance, or keep the noise of its last steps.
TEST(CompleteCpSgd, RecoversAsWellAsAlternatingLeastSquares) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const double noise = std::sqrt(3.0);  // the deviation of a sum of three products of normal numbers
    const auto data = plant(random_model(Shape{20, 20, 20}, 3, seed), 0.5, noise, seed + 100);
    CpCompletionAlsOptions als;
    CpCompletionSgdOptions sgd;
    als.rank = sgd.rank = 3;
    const double by_als = rmse(complete_cp_als(data.observed, als).model, data.hidden);
    const double by_sgd = rmse(complete_cp_sgd(data.observed, sgd).model, data.hidden);
    EXPECT_LT(by_als, 0.3 * noise) << seed;  // 180 parameters from 4000 cells: sqrt(180 / 4000) = 0.21
    EXPECT_LT(std::max(by_als, by_sgd), 1.05 * std::min(by_als, by_sgd)) << seed;
  }
}

TEST(CompleteCpSgd, KeepsTheBestOnValidation) {
  const auto data = plant(random_model(Shape{15, 15, 15}, 3, 10), 0.3, 2, 11);
  auto options = options_with(8, 200);
  options.ridge = 0;
  options.validation = &data.hidden;
  const auto fit = complete_cp_sgd(data.observed, options);
  double best = std::numeric_limits<double>::infinity();
  for (const Iteration& now : fit.history) best = std::min(best, now.validation_rmse);
  EXPECT_NEAR(rmse(fit.model, data.hidden), best, 1e-6 * best);
  EXPECT_LT(fit.history.size(), 200u);
}

// Large enough for several strata.
TEST(CompleteCpSgd, DoesNotDependOnTheThreads) {
  const auto data = plant(random_model(Shape{60, 50, 40}, 2, 12), 0.6, 0.5, 13);
  auto options = options_with(3, 2);
  const int before = threads();
  set_threads(1);
  const auto alone = complete_cp_sgd(data.observed, options);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_TRUE(testing::same(complete_cp_sgd(data.observed, options).model, alone.model));
  }
  set_threads(before);
}

TEST(CompleteCpSgd, SeedsDiffer) {
  const auto data = plant(random_model(Shape{9, 9, 9}, 2, 12), 0.6, 0.5, 13);
  auto options = options_with(2, 2);
  const auto first = complete_cp_sgd(data.observed, options);
  options.control.seed = 1;
  EXPECT_FALSE(testing::same(complete_cp_sgd(data.observed, options).model, first.model));
}

TEST(CompleteCpSgd, WithoutBiasesThereAreNone) {
  const auto data = plant(random_model(Shape{9, 9, 9}, 2, 12), 0.6, 0.5, 13);
  auto options = options_with(2, 3);
  options.biases = false;
  EXPECT_TRUE(complete_cp_sgd(data.observed, options).model.biases.empty());
}

TEST(CompleteCpSgd, RefusesWhatItCannotDo) {
  SparseTensor one(Shape{2, 2}, Unlisted::missing);
  EXPECT_NE(message_of([&] { complete_cp_sgd(one); }).find("no cell is observed"), std::string::npos);
  one.append(std::array<Index, 2>{0, 0}, 1);
  CpCompletionSgdOptions options;
  options.step = 0;
  EXPECT_NE(message_of([&] { complete_cp_sgd(one, options); }).find("step: 0"), std::string::npos);
  options.step = 1;
  options.decay = -1;
  EXPECT_NE(message_of([&] { complete_cp_sgd(one, options); }).find("decay: -1"), std::string::npos);
}

}  // namespace
}  // namespace tulle
