#include "../../data/small_study.hpp"
#include "random_study.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/gamma.hpp>
#include <tulle/data/hide.hpp>
#include <tulle/solve/coupled/variational.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

Control vb_sweeps(int count, std::uint64_t seed = 1) {
  return {.max_iterations = count, .tolerance = 0, .seed = seed, .observer = {}};
}

// y[u] = T[u], counts of Poisson variables with their own rates.
Study single_rates(std::vector<float> counts) {
  Study study;
  study.entities = {{"A", {}}};
  study.model.axes = {{"a", "A", static_cast<Index>(counts.size() + 1)}};
  study.model.factors = {{"T", {0}, {}}};
  study.model.products = {{"y", {0}, {0}}};
  SparseTensor data(Shape{counts.size() + 1, 1}, Unlisted::missing);
  for (Index i = 0; i < counts.size(); ++i) data.append(std::array<Index, 2>{i, 0}, counts[i]);
  study.tables.push_back({.data = std::move(data)});
  study.priors = {GammaPrior{1, 1}};
  return study;
}

RC_GTEST_PROP(Variational, TheBoundNeverDecreases, (std::uint64_t seed)) {
  Random random(seed);
  Study study = random_study(random, {.powers = {1}, .counts = true});
  if (random.chance(0.5)) {
    const auto cell = study.tables[0].data.cells().cell(0);
    SparseTensor& data = study.tables[0].data;
    Cells hidden(data.shape());
    hidden.append(std::span(cell).first(static_cast<std::size_t>(data.order())));
    if (data.size() > 1) hide_listed(study, 0, hidden);
  }
  for (Table& table : study.tables) table.weight = 1;
  for (auto& prior : study.priors) prior = GammaPrior{0.3 + random.uniform(), 0.5 + random.uniform()};
  const auto fit = fit_variational(study, {.adapt_priors = random.chance(0.6)}, vb_sweeps(15, seed));
  for (std::size_t i = 1; i < fit.history.size(); ++i) {
    const double before = fit.history[i - 1].objective, after = fit.history[i].objective;
    RC_ASSERT(after <= before + 1e-9 * (1 + std::abs(before)));
  }
}

// The posterior of a rate is Gamma itself, so there is nothing to approximate: shape 1 + x, rate 1 + 1, and
// the evidence of x is the negative binomial 2^-(x + 1). The last rate has no observation and keeps its
// prior.
TEST(Variational, IsExactWhereThePosteriorFactorizes) {
  const std::vector<float> counts = {0, 3, 7};
  const auto fit = fit_variational(single_rates(counts), {.adapt_priors = false}, vb_sweeps(1));
  double evidence = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_DOUBLE_EQ(fit.model.shapes[0][i], 1 + counts[i]);
    EXPECT_DOUBLE_EQ(fit.model.mean.factors[0].values[i], (1 + counts[i]) / 2);
    evidence -= (counts[i] + 1) * std::log(2);
  }
  EXPECT_DOUBLE_EQ(fit.model.shapes[0][3], 1);
  EXPECT_DOUBLE_EQ(fit.model.mean.factors[0].values[3], 1);
  EXPECT_NEAR(fit.history[0].objective, -evidence, 1e-12);
  EXPECT_NEAR(std::exp(digamma(1)), 0.5614595, 1e-7);  // L of the last one (mechanisms 6.6)
}

TEST(Variational, AdaptedPriorsFitTheMeanOfTheElements) {
  Study study = single_rates({4, 4, 4, 5, 3, 4, 4});
  study.priors = {GammaPrior{1, 100}};
  const auto fit = fit_variational(study, {}, vb_sweeps(300));
  for (double value : fit.model.mean.factors[0].values) EXPECT_NEAR(value, 4, 0.3);
}

TEST(Variational, ZerosInClosedFormAreZerosThatAreListed) {
  Study closed = matrix_study(small_counts(Unlisted::zero), 1, 2), listed = closed;
  SparseTensor data(Shape{5, 4}, Unlisted::missing);
  const SparseTensor& counts = closed.tables[0].data;
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 4; ++j) {
      float value = 0;
      for (std::size_t e = 0; e < counts.size(); ++e)
        if (counts.column(0)[e] == i && counts.column(1)[e] == j) value = counts.values()[e];
      data.append(std::array{i, j}, value);
    }
  listed.tables[0].data = std::move(data);
  Coupled start = closed.model;
  for (Factor& factor : start.factors) {
    factor.values.resize(cells_of(start.sizes(), factor.axes));
    for (std::size_t i = 0; i < factor.values.size(); ++i)
      factor.values[i] = 0.5 + 0.1 * static_cast<double>(i % 7);
  }
  const auto a = fit_variational(closed, {.start = &start}, vb_sweeps(10));
  const auto b = fit_variational(listed, {.start = &start}, vb_sweeps(10));
  EXPECT_NEAR(a.history.back().objective, b.history.back().objective, 1e-9);
  for (std::size_t i = 0; i < a.model.mean.factors[0].values.size(); ++i)
    EXPECT_NEAR(a.model.mean.factors[0].values[i], b.model.mean.factors[0].values[i], 1e-9);
}

TEST(Variational, IsForCountsAlone) {
  EXPECT_THROW(fit_variational(matrix_study(small_counts(Unlisted::missing), 0, 1), {}, vb_sweeps(1)), Error);
}

}  // namespace
}  // namespace tulle
