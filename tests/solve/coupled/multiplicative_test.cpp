#include "../../data/small_study.hpp"
#include "random_study.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/hide.hpp>
#include <tulle/solve/coupled/multiplicative.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

// The objective after every sweep never increases; sums of some hundred terms round to 1e-11 of them.
void expect_descent(const Fit<Coupled>& fit) {
  for (std::size_t i = 1; i < fit.history.size(); ++i) {
    const double before = fit.history[i - 1].objective, after = fit.history[i].objective;
    RC_ASSERT(after <= before + 1e-9 * (1 + std::abs(before)));
  }
}

Control sweeps(int count, std::uint64_t seed = 1) {
  return {.max_iterations = count, .tolerance = 0, .seed = seed, .observer = {}};
}

SparseTensor full_matrix(std::vector<float> values, Unlisted unlisted = Unlisted::missing) {
  SparseTensor data(Shape{2, 2}, unlisted);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 2; ++j) data.append(std::array{i, j}, values[i * 2 + j]);
  return data;
}

Coupled with_values(Coupled model, std::vector<std::vector<double>> values) {
  for (std::size_t d = 0; d < values.size(); ++d) model.factors[d].values = values[d];
  return model;
}

RC_GTEST_PROP(Multiplicative, TheObjectiveNeverIncreasesForOneDivergence, (std::uint64_t seed)) {
  Random random(seed);
  const std::vector<double> powers = {0, 0.5, 1, 1.5, 2, 3};
  const Study study = random_study(random, {.powers = {powers[random.below(powers.size())]}});
  expect_descent(fit_multiplicative(study, {}, sweeps(12, seed)));
}

RC_GTEST_PROP(Multiplicative, TheObjectiveNeverIncreasesForMixedDivergences, (std::uint64_t seed)) {
  Random random(seed);
  Study study = random_study(random, {.powers = {0, 0.5, 1, 1.5, 2, 3}});
  const bool priors = random.chance(0.5);
  for (auto& prior : study.priors)
    if (random.chance(0.7)) prior = GammaPrior{1 + random.uniform(), 0.5 + random.uniform()};
  expect_descent(fit_multiplicative(study, {.use_priors = priors, .estimate_dispersion = random.chance(0.5)},
                                    sweeps(12, seed)));
}

RC_GTEST_PROP(Multiplicative, TheObjectiveNeverIncreasesWithHiddenCells, (std::uint64_t seed)) {
  Random random(seed);
  Study study = random_study(random, {.powers = {0, 0.5, 1}});
  SparseTensor& data = study.tables[0].data;
  // Entries other than the first, so that the table keeps one.
  Cells hidden(data.shape());
  for (std::size_t entry = 1; entry < data.size(); ++entry) {
    const auto cell = data.cells().cell(entry);
    if (random.chance(0.5)) hidden.append(std::span(cell).first(static_cast<std::size_t>(data.order())));
  }
  hide_listed(study, 0, hidden);
  expect_descent(fit_multiplicative(study, {}, sweeps(12, seed)));
}

// mechanisms: KL x = 4 of 0.01 theta, and Euclidean x = 0 of theta: from theta = 1 the exponent 1 would raise
// the objective by about 1.8.
TEST(Multiplicative, ExponentOneWouldFailForMixedDivergences) {
  Study study;
  study.entities = {{"A", {}}};
  study.model.axes = {{"a", "A", 1}, {"b", "A", 1}};
  study.model.factors = {{"T", {0}, {1}}, {"S", {1}, {0.01}}};
  study.model.products = {{"X", {0, 1}, {0, 1}}, {"Y", {0}, {0}}};
  study.tables = {{.data = SparseTensor(Cells(Shape{1, 1}, {{0}, {0}}), {4}, Unlisted::missing),
                   .divergence = beta_divergence(1)},
                  {.data = SparseTensor(Cells(Shape{1, 1}, {{0}, {0}}), {0}, Unlisted::missing),
                   .divergence = beta_divergence(0)}};
  study.priors.resize(2);
  const auto objective = [](double theta, double s) {
    const double m = theta * s;
    return 4 * std::log(4 / m) - 4 + m + theta * theta / 2;
  };
  const double ratio = (4 / 1.0) / (0.01 + 1.0);  // of pull to push
  EXPECT_NEAR(objective(ratio, 0.01) - objective(1, 0.01), 1.8, 0.1);
  const auto fit = fit_multiplicative(study, {.start = &study.model}, sweeps(1));
  EXPECT_NEAR(fit.model.factors[0].values[0], std::sqrt(ratio), 1e-12);
  EXPECT_LT(fit.history[0].objective, objective(1, 0.01));
}

// One row of two elements, three cells, p = 3: the exponent 1 would raise the divergence from 24.95 to 27.54.
// (Up to p = 2 no such case is known, and the exponent 1 / p is what is proven; the next test holds it
// there.)
TEST(Multiplicative, ExponentOneWouldFailForOneDivergenceOfPowerThree) {
  const SparseTensor data(Cells(Shape{1, 3}, {{0, 0, 0}, {0, 1, 2}}), {0.02f, 5, 100}, Unlisted::missing);
  Study study = matrix_study(data, 3, 2);
  const std::vector<double> others = {2, 5, 0.05, 100, 50, 0.01};
  const Coupled start = with_values(study.model, {{1, 1}, others});
  const auto divergence = [&](const std::array<double, 2>& row) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j)
      sum += value(BetaDivergence{3}, data.values()[j], row[0] * others[2 * j] + row[1] * others[2 * j + 1]);
    return sum;
  };
  std::array<double, 2> ratio{};
  for (std::size_t k = 0; k < 2; ++k) {
    double pull = 0, push = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double m = others[2 * j] + others[2 * j + 1];
      pull += data.values()[j] * std::pow(m, -3) * others[2 * j + k];
      push += std::pow(m, -2) * others[2 * j + k];
    }
    ratio[k] = pull / push;
  }
  EXPECT_NEAR(divergence({1, 1}), 24.95, 0.01);
  EXPECT_NEAR(divergence(ratio), 27.54, 0.01);
  const auto fit = fit_multiplicative(study, {.start = &start}, sweeps(1));
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(fit.model.factors[0].values[k], std::cbrt(ratio[k]), 1e-9 * std::cbrt(ratio[k]));
  EXPECT_LT(fit.history[0].objective, divergence({1, 1}));
}

TEST(Multiplicative, TheExponentOfOneDivergenceIsOneUpToPowerOneAndOneOverThePowerAbove) {
  for (double power : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0}) {
    Study study =
        matrix_study(SparseTensor(Cells(Shape{1, 1}, {{0}, {0}}), {8}, Unlisted::missing), power, 1);
    const Coupled start = with_values(study.model, {{1}, {1}});
    const auto fit = fit_multiplicative(study, {.start = &start}, sweeps(1));
    EXPECT_NEAR(fit.model.factors[0].values[0], std::pow(8, 1 / std::max(1.0, power)), 1e-9) << power;
  }
}

TEST(Multiplicative, OneElementIsFittedInOneStep) {
  Study study = matrix_study(SparseTensor(Cells(Shape{1, 1}, {{0}, {0}}), {6}, Unlisted::missing), 1, 1);
  const Coupled start = with_values(study.model, {{5}, {2}});
  const auto fit = fit_multiplicative(study, {.start = &start}, sweeps(1));
  EXPECT_DOUBLE_EQ(fit.model.factors[0].values[0], 3);  // x / other
  EXPECT_DOUBLE_EQ(fit.model.factors[1].values[0], 2);
  EXPECT_NEAR(fit.history[0].objective, 0, 1e-14);
}

TEST(Multiplicative, RankOneUnderKlIsTheProductOfTheMarginsAfterOneSweep) {
  for (Unlisted unlisted : {Unlisted::missing, Unlisted::zero}) {
    const Study study = matrix_study(full_matrix({1, 2, 3, 4}, unlisted), 1, 1);
    const auto fit = fit_multiplicative(study, {}, sweeps(1, 7));
    const auto values = fit.model.predict(0, Cells(Shape{2, 2}, {{0, 0, 1, 1}, {0, 1, 0, 1}}));
    const double expected[] = {1.2, 1.8, 2.8, 4.2};
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(values[i], expected[i], 1e-12);
  }
}

TEST(Multiplicative, APriorShiftsOneElementToTheModeOfItsPosterior) {
  // Of theta with Poisson count 6 of rate 2 theta and prior Gamma(shape 3, rate 3 / 1.5): (6 + 2) / (2 + 2).
  Study study = matrix_study(SparseTensor(Cells(Shape{1, 1}, {{0}, {0}}), {6}, Unlisted::missing), 1, 1);
  study.priors[0] = GammaPrior{3, 1.5};
  const Coupled start = with_values(study.model, {{5}, {2}});
  const auto fit = fit_multiplicative(study, {.use_priors = true, .start = &start}, sweeps(1));
  EXPECT_DOUBLE_EQ(fit.model.factors[0].values[0], 2);
}

TEST(Multiplicative, ZerosInClosedFormAreZerosThatAreListed) {
  for (double power : {0.0, 1.0}) {
    Study closed = matrix_study(small_counts(Unlisted::zero), power, 2);
    Study listed = closed;
    SparseTensor data(Shape{5, 4}, Unlisted::missing);
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 4; ++j) {
        if (i == 0 && j < 2) continue;
        const SparseTensor& counts = closed.tables[0].data;
        float value = 0;
        for (std::size_t e = 0; e < counts.size(); ++e)
          if (counts.column(0)[e] == i && counts.column(1)[e] == j) value = counts.values()[e];
        data.append(std::array{i, j}, value);
      }
    listed.tables[0].data = std::move(data);
    hide_listed(closed, 0, Cells(Shape{5, 4}, {{0, 0}, {0, 1}}));
    Coupled start = closed.model;
    Random random(3);
    for (Factor& factor : start.factors) {
      factor.values.resize(cells_of(start.sizes(), factor.axes));
      for (double& value : factor.values) value = 0.5 + random.uniform();
    }
    const auto a = fit_multiplicative(closed, {.start = &start}, sweeps(20));
    const auto b = fit_multiplicative(listed, {.start = &start}, sweeps(20));
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t i = 0; i < a.model.factors[d].values.size(); ++i)
        EXPECT_NEAR(a.model.factors[d].values[i], b.model.factors[d].values[i], 1e-9);
    EXPECT_NEAR(a.history.back().objective, b.history.back().objective, 1e-9);
  }
}

TEST(Multiplicative, DispersionIsTwiceTheMeanDivergence) {
  const Study study = matrix_study(small_counts(Unlisted::missing), 0, 1);
  const auto fit = fit_multiplicative(study, {.estimate_dispersion = true}, sweeps(200));
  const SparseTensor& data = study.tables[0].data;
  const auto values = fit.model.predict(0, data.cells());
  double squares = 0;
  for (std::size_t e = 0; e < data.size(); ++e) squares += std::pow(values[e] - data.values()[e], 2);
  EXPECT_NEAR(fit.model.products[0].dispersion, squares / static_cast<double>(data.size()), 1e-9);
}

TEST(Multiplicative, TheResultDoesNotDependOnThreads) {
  SparseTensor data(Shape{200, 150, 4}, Unlisted::missing);
  Random random(5);
  for (Index i = 0; i < 200; ++i)
    for (Index j = 0; j < 150; ++j)
      for (Index k = 0; k < 4; ++k)
        if (random.chance(0.6)) data.append(std::array{i, j, k}, static_cast<float>(random.uniform()));
  Study study;
  study.entities = {{"A", {}}, {"B", {}}, {"C", {}}};
  study.model.axes = {{"a", "A", 200}, {"b", "B", 150}, {"c", "C", 4}, {"k", "", 8}, {"l", "", 6}};
  study.model.factors = {{"U", {0, 3}, {}}, {"V", {1, 4}, {}}, {"W", {2, 3}, {}}, {"G", {3, 4}, {}}};
  study.model.products = {{"X", {0, 1, 2}, {0, 1, 2, 3}}};
  study.tables.push_back({.data = std::move(data), .divergence = beta_divergence(1)});
  study.priors.resize(4);
  const int before = threads();
  std::vector<Coupled> models;
  for (int count : {1, 3}) {
    set_threads(count);
    models.push_back(fit_multiplicative(study, {}, sweeps(2)).model);
  }
  set_threads(before);
  EXPECT_EQ(models[0], models[1]);
}

TEST(Multiplicative, RefusesWhatItCannotFit) {
  Study study = matrix_study(full_matrix({1, 2, -3, 4}), 0, 1);
  EXPECT_THROW(fit_multiplicative(study, {}, sweeps(1)), Error);
  study = matrix_study(full_matrix({1, 2, 3, 4}), 1, 1);
  study.priors[0] = GammaPrior{0.5, 1};
  EXPECT_THROW(fit_multiplicative(study, {.use_priors = true}, sweeps(1)), Error);
}

}  // namespace
}  // namespace tulle
