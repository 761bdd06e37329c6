#include "estimate/variational_counts.hpp"

#include "estimate/count_priors.hpp"
#include "made_counts.hpp"

#include <tulle/solve/coupled/variational.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

using testing::Made;
using testing::make_counts;

// All probabilities added up, from 0 on.
CountMoments by_brute_force(double released, double alpha, double rate) {
  double sum = 0, first = 0;
  for (int x = 0; x < 600; ++x) {
    const double log_weight =
        x * std::log(rate) - std::lgamma(x + 1.0) + std::abs(released - x) * std::log(alpha);
    sum += std::exp(log_weight);
    first += x * std::exp(log_weight);
  }
  return {std::log(sum * (1 - alpha) / (1 + alpha)), first / sum};
}

RC_GTEST_PROP(CountMoments, AreThoseOfAllCounts, (std::uint64_t seed)) {
  Random random(seed);
  const double released = std::floor(120 * random.uniform()) - 40, rate = std::exp(9 * random.uniform() - 5);
  const double alpha = 0.01 + 0.98 * random.uniform();
  const CountMoments got = moments_of_count(released, alpha, rate);
  const CountMoments expected = by_brute_force(released, alpha, rate);
  RC_ASSERT(std::abs(got.log_sum - expected.log_sum) < 1e-9 * (1 + std::abs(expected.log_sum)));
  RC_ASSERT(std::abs(got.mean - expected.mean) < 1e-9 * (1 + expected.mean));
}

TEST(CountMoments, WithoutNoiseAreTheCount) {
  EXPECT_DOUBLE_EQ(moments_of_count(3, 0, 2).mean, 3);
  EXPECT_DOUBLE_EQ(moments_of_count(3, 0, 2).log_sum, 3 * std::log(2) - std::log(6));
  EXPECT_NEAR(moments_of_count(3, 1e-9, 2).mean, 3, 1e-6);
}

// A cell whose released number is below zero is Poisson of rate alpha times what it was.
TEST(CountMoments, OfANegativeNumber) {
  EXPECT_NEAR(moments_of_count(-7, 0.4, 5).mean, 2, 1e-12);
}

RC_GTEST_PROP(VariationalCounts, TheBoundNeverDecreases, (std::uint64_t seed)) {
  Random random(seed);
  const Shape shape = random.chance(0.5) ? Shape{7, 5} : Shape{4, 3, 3};
  const CountPrior prior{0.3 + random.uniform(), 0.5 + random.uniform()};
  const double alpha = 0.95 * random.uniform();
  const Made made = make_counts(shape, prior, 2, alpha, seed);
  std::vector<double> alphas(made.noisy.size(), alpha);
  if (random.chance(0.5)) std::fill_n(alphas.begin(), alphas.size() / 2, 0.0);
  VariationalCounts posterior(made.noisy, alphas, ModelLayout::cp(shape, 3),
                              std::vector(static_cast<std::size_t>(shape.order()), prior), seed);
  double before = posterior.sweep();
  for (int sweep = 0; sweep < 25; ++sweep) {
    const double after = posterior.sweep();
    RC_ASSERT(after >= before - 1e-9 * (1 + std::abs(before)));
    before = after;
  }
}

Study as_study(const SparseTensor& counts) {
  Study study;
  study.entities = {{"A", {}}, {"B", {}}};
  study.model.axes = {{"a", "A", counts.shape()[0]}, {"b", "B", counts.shape()[1]}, {"k", "", 1}};
  study.model.factors = {{"U", {0, 2}, {}}, {"V", {1, 2}, {}}};
  study.model.products = {{"x", {0, 1}, {0, 1}}};
  study.tables.push_back({.data = counts});
  study.priors = {GammaPrior{2, 1.5}, GammaPrior{3, 2}};  // shape, mean
  return study;
}

// Two programs for one model: with one component they end at the same bound, whatever they started from.
TEST(VariationalCounts, WithoutNoiseEndAtTheBoundOfTheCoupledFit) {
  const Made made = make_counts(Shape{12, 9}, {2, 1}, 1, 0, 3);
  VariationalCounts posterior(made.noisy, std::vector<double>(made.noisy.size()),
                              ModelLayout::cp(made.noisy.shape(), 1), {{2, 2 / 1.5}, {3, 1.5}}, 5);
  double bound = 0;
  for (int sweep = 0; sweep < 2000; ++sweep) bound = posterior.sweep();
  const auto fit = fit_variational(as_study(made.noisy), {.adapt_priors = false},
                                   {.max_iterations = 2000, .tolerance = 0, .seed = 7, .observer = {}});
  EXPECT_NEAR(bound, -fit.history.back().objective, 1e-6 * std::abs(bound));
}

double error_of_rates(const Made& made, const SparseTensor& counts, double alpha) {
  const ModelLayout layout = ModelLayout::cp(counts.shape(), 2);
  const std::vector<double> alphas(counts.size(), alpha);
  VariationalCounts posterior(counts, alphas, layout, priors_by_moments(counts, alphas, layout, 0.1, 100), 7);
  for (int sweep = 0; sweep < 200; ++sweep) posterior.sweep();
  double sum = 0;
  std::vector<double> products;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    component_products(layout, posterior.means(), counts.cells(), cell, -1, products);
    const double difference = products[0] + products[1] - made.rates[cell];
    sum += difference * difference / static_cast<double>(counts.size());
  }
  return std::sqrt(sum);
}

// Counts at epsilon 1 and a width of 5: to take what was released for counts, below zero for none, gives
// rates that are further from those that the counts were drawn from.
TEST(VariationalCounts, ThatKnowOfTheNoiseAreCloserToTheTruth) {
  const double alpha = std::exp(-0.2);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Made made = make_counts(Shape{40, 30}, {2, 1.2}, 2, alpha, seed);
    SparseTensor clamped = made.noisy;
    for (float& value : clamped.values()) value = std::max(value, 0.0F);
    EXPECT_LT(error_of_rates(made, made.noisy, alpha), 0.9 * error_of_rates(made, clamped, 0));
  }
}

}  // namespace
}  // namespace tulle
