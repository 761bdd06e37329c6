#include "planted.hpp"
#include "solve/naive_device.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/solve/cp/complete_als.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

using testing::even_model;
using testing::message_of;
using testing::plant;
using testing::random_model;
using testing::rmse;
using testing::spread;

CpCompletionAlsOptions options_with(int rank) {
  CpCompletionAlsOptions options;
  options.rank = rank;
  options.control.max_iterations = 200;
  options.control.tolerance = 1e-7;
  options.control.device = testing::device_under_test();
  return options;
}

TEST(CompleteCpAls, RecoversHiddenCells) {
  const auto data = plant(random_model(Shape{15, 14, 13}, 2, 1), 0.4, 0, 2);
  for (Start start : {Start::random, Start::spectral}) {
    auto options = options_with(2);
    options.biases = false;
    options.start = start;
    EXPECT_LT(rmse(complete_cp_als(data.observed, options).model, data.hidden), 1e-3 * spread(data.hidden));
  }
}

TEST(CompleteCpAls, EveryOrder) {
  const std::uint64_t sizes[] = {7, 6, 4, 2, 2, 2, 2, 2};
  for (int order = kMinOrder; order <= kMaxOrder; ++order) {
    const auto data = plant(even_model(Shape(std::span(sizes, order)), 1, 10 + order), 0.6, 0, 3);
    auto options = options_with(1);
    options.biases = false;
    options.start =
        Start::spectral;  // finds the sign of every mode, which a random start seldom does for eight
    EXPECT_LT(rmse(complete_cp_als(data.observed, options).model, data.hidden), 1e-2 * spread(data.hidden))
        << order;
  }
}

// A level that is no part of the low-rank model, as min-max scaling leaves it.
TEST(CompleteCpAls, BiasesTakeUpLevels) {
  Cp truth = random_model(Shape{15, 14, 13}, 2, 4);
  truth.biases.global = 50;
  for (const Matrix& factor : truth.factors) truth.biases.offsets.push_back(3 * factor.col(0).reverse());
  const auto data = plant(truth, 0.5, 0.1, 5);
  auto options = options_with(2);
  const double with = rmse(complete_cp_als(data.observed, options).model, data.hidden);
  options.biases = false;
  const double without = rmse(complete_cp_als(data.observed, options).model, data.hidden);
  EXPECT_LT(with, 0.06);
  EXPECT_GT(without, 2 * with);
}

// Learnt ridges must do about as well as the rank is wrong: components that are not needed fade.
TEST(CompleteCpAls, LearntRidgeForgivesTooHighARank) {
  const auto data = plant(random_model(Shape{20, 20, 20}, 2, 6), 0.3, 1, 7);
  const double right = rmse(complete_cp_als(data.observed, options_with(2)).model, data.hidden);
  const double high = rmse(complete_cp_als(data.observed, options_with(8)).model, data.hidden);
  EXPECT_LT(high, 1.5 * right);
  auto options = options_with(8);
  options.ridge = 1e-9;
  EXPECT_GT(rmse(complete_cp_als(data.observed, options).model, data.hidden), 1.3 * high);
}

double penalised(const SparseTensor& cells, const Cp& model, double ridge) {
  const double error = rmse(model, cells);
  double penalty = 0;
  // The weights belong to the factors, evenly: that is where the penalty is least.
  for (int r = 0; r < model.rank(); ++r) {
    double product = std::abs(model.weights[r]);
    for (const Matrix& factor : model.factors) product *= factor.col(r).norm();
    penalty += static_cast<double>(model.factors.size()) *
               std::pow(product, 2.0 / static_cast<double>(model.factors.size()));
  }
  for (const Vector& offset : model.biases.offsets) penalty += offset.squaredNorm();
  return error * error * static_cast<double>(cells.size()) + ridge * penalty;
}

// With a ridge that is given, the fit is a minimum of sum (x - model)^2 + ridge (|factors|^2 + |offsets|^2)
// in the unit of the data: no small step from it leads lower.
RC_GTEST_PROP(CompleteCpAls, FixedRidgeIsAMinimum, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  Cp truth = random_model(Shape{6, 5, 4}, 2, seed);
  truth.weights *= 30;
  const auto data = plant(truth, 0.8, 3, seed + 1);
  auto options = options_with(2);
  options.ridge = 20;
  options.biases = *rc::gen::arbitrary<bool>();
  options.control.seed = seed;
  options.control.max_iterations = 20000;
  options.control.tolerance = 1e-13;
  const auto fit = complete_cp_als(data.observed, options);
  const double least = penalised(data.observed, fit.model, 20);
  Random random(seed);
  for (int step = 0; step < 20; ++step) {
    Cp moved = fit.model;
    for (Matrix& factor : moved.factors)
      for (double& entry : factor.reshaped()) entry += 1e-3 * random.normal();
    for (Vector& offset : moved.biases.offsets)
      for (double& entry : offset) entry += 1e-3 * random.normal();
    RC_ASSERT(penalised(data.observed, moved, 20) > least * (1 - 1e-6));
  }
}

TEST(CompleteCpAls, ReportsItsErrorInTheUnitOfTheData) {
  Cp truth = random_model(Shape{10, 9, 8}, 2, 8);
  truth.weights *= 100;
  const auto data = plant(truth, 0.5, 10, 9);
  for (std::optional<double> ridge : {std::optional<double>(), std::optional<double>(5.0)}) {
    auto options = options_with(2);
    options.ridge = ridge;
    const auto fit = complete_cp_als(data.observed, options);
    EXPECT_NEAR(fit.history.back().objective, rmse(fit.model, data.observed),
                1e-3 * fit.history.back().objective);
  }
}

TEST(CompleteCpAls, KeepsTheBestOnValidation) {
  const auto data = plant(random_model(Shape{12, 12, 12}, 3, 10), 0.3, 2, 11);
  auto options = options_with(6);
  options.ridge = 1e-6;
  options.validation = &data.hidden;
  const auto fit = complete_cp_als(data.observed, options);
  double best = std::numeric_limits<double>::infinity();
  for (const Iteration& now : fit.history) best = std::min(best, now.validation_rmse);
  EXPECT_NEAR(rmse(fit.model, data.hidden), best, 1e-6 * best);
  EXPECT_TRUE(fit.converged);
  EXPECT_GT(fit.history.back().validation_rmse, best);
}

TEST(CompleteCpAls, PositionsWithoutCellsGetTheLevel) {
  SparseTensor observed(Shape{4, 3, 3}, Unlisted::missing);
  Random random(1);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 3; ++k)
        observed.append(std::array<Index, 3>{i, j, k}, static_cast<float>(5 + random.normal()));
  const auto fit = complete_cp_als(observed, options_with(2));
  EXPECT_EQ(fit.model.factors[0].row(3).norm(), 0);
  EXPECT_NEAR(fit.model.at(std::array<Index, 3>{3, 0, 0}), 5, 1.5);
}

TEST(CompleteCpAls, ConstantData) {
  SparseTensor observed(Shape{3, 3}, Unlisted::missing);
  for (Index i = 0; i < 3; ++i) observed.append(std::array<Index, 2>{i, i}, 2);
  const auto fit = complete_cp_als(observed, options_with(2));
  EXPECT_NEAR(fit.model.at(std::array<Index, 2>{0, 1}), 2, 1e-6);
}

// Heavy rows are split; results must be the same bit by bit.
TEST(CompleteCpAls, DoesNotDependOnTheThreads) {
  const auto data = plant(random_model(Shape{2, 400, 200}, 2, 12), 0.9, 0.1, 13);
  auto options = options_with(3);
  options.control.max_iterations = 2;
  const int before = threads();
  set_threads(1);
  const auto alone = complete_cp_als(data.observed, options);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_TRUE(testing::same(complete_cp_als(data.observed, options).model, alone.model));
  }
  set_threads(before);
}

TEST(CompleteCpAls, RefusesWhatItCannotDo) {
  const SparseTensor empty(Shape{2, 2}, Unlisted::missing);
  EXPECT_NE(message_of([&] { complete_cp_als(empty); }).find("no cell is observed"), std::string::npos);
  EXPECT_NE(message_of([&] {
              complete_cp_als(SparseTensor(Shape{2, 2}, Unlisted::zero));
            }).find("use cp_als"),
            std::string::npos);
  SparseTensor one = empty;
  one.append(std::array<Index, 2>{0, 0}, 1);
  const SparseTensor larger(Cells(Shape{2, 3}, {{0}, {2}}), {1}, Unlisted::missing);
  CpCompletionAlsOptions options;
  options.validation = &larger;
  EXPECT_NE(
      message_of([&] { complete_cp_als(one, options); }).find("2x3, which the data's 2x2 does not cover"),
      std::string::npos);
  options.validation = nullptr;
  options.ridge = -2;
  EXPECT_NE(message_of([&] { complete_cp_als(one, options); }).find("ridge: -2"), std::string::npos);
  one.values()[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message_of([&] { complete_cp_als(one); }).find("not finite"), std::string::npos);
}

// ---- going on from a model ----

TEST(CompleteCpAls, GoesOnFromAModel) {
  Cp truth = random_model(Shape{15, 14, 13}, 2, 4);
  truth.weights = (Vector(2) << -2, 3).finished();
  truth.biases.global = 5;
  for (const Matrix& factor : truth.factors) truth.biases.offsets.push_back(factor.col(0).reverse());
  const auto data = plant(truth, 0.5, 0, 5);
  for (std::optional<double> ridge : {std::optional<double>(1e-9), std::optional<double>()}) {
    auto options = options_with(7);  // not asked for: the model has its own
    options.ridge = ridge;
    options.from = &truth;
    options.control.max_iterations = 1;
    const Cp fitted = complete_cp_als(data.observed, options).model;
    EXPECT_EQ(fitted.rank(), 2);
    EXPECT_LT(rmse(fitted, data.hidden), 0.01 * spread(data.hidden)) << ridge.has_value();
  }
}

TEST(CompleteCpAls, HeldModesStay) {
  const Cp truth = random_model(Shape{15, 14, 13}, 2, 4);
  const auto data = plant(truth, 0.5, 0, 5);
  Cp start = random_model(Shape{15, 14, 13}, 2, 9);
  start.factors[1] = truth.factors[1];
  for (std::optional<double> ridge : {std::optional<double>(1e-9), std::optional<double>()}) {
    auto options = options_with(2);
    options.biases = false;
    options.ridge = ridge;
    options.from = &start;
    options.held = {1};
    const Cp fitted = complete_cp_als(data.observed, options).model;
    for (int r = 0; r < 2; ++r)
      EXPECT_NEAR(std::abs(fitted.factors[1].col(r).dot(truth.factors[1].col(r))),
                  truth.factors[1].col(r).norm(), 1e-9);
    EXPECT_LT(rmse(fitted, data.hidden), 1e-3 * spread(data.hidden)) << ridge.has_value();
  }
}

TEST(CompleteCpAls, SaysWhatCannotBeStartedFrom) {
  const auto data = plant(random_model(Shape{5, 4, 3}, 1, 4), 0.8, 0, 5);
  const auto refusal = [&](const Cp* from, std::vector<int> held) {
    auto options = options_with(1);
    options.from = from;
    options.held = std::move(held);
    return message_of([&] { complete_cp_als(data.observed, options); });
  };
  const Cp other = random_model(Shape{5, 4, 4}, 1, 4), fits = random_model(Shape{5, 4, 3}, 1, 4);
  EXPECT_EQ(refusal(&other, {}), "a fit of a 5x4x3 tensor cannot start from a model of shape 5x4x4");
  EXPECT_NE(refusal(nullptr, {0}).find("model to start from"), std::string::npos);
  EXPECT_NE(refusal(&fits, {0, 1, 2}).find("all modes are held"), std::string::npos);
  EXPECT_EQ(refusal(&fits, {3}), "there is no mode 4 to hold");
}

}  // namespace
}  // namespace tulle
