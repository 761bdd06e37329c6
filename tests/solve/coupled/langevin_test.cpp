#include "../../data/small_study.hpp"
#include "conjugate.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/coupled/gibbs.hpp>
#include <tulle/solve/coupled/langevin.hpp>
#include <tulle/solve/coupled/least_squares.hpp>
#include <tulle/solve/coupled/multiplicative.hpp>
#include <tulle/solve/coupled/variational.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Control langevin_sweeps(int count) {
  return {.max_iterations = count, .tolerance = 0, .seed = 5, .observer = {}};
}

const SamplerOptions kFixed{.samples = 100, .sample_priors = false};

TEST(Langevin, OfCountsAgreesWithTheConjugatePosterior) {
  Study study = repeated_sum(3, 1);
  study.priors[0] = GammaPrior{0.8, 2};
  const auto fit = sample_langevin(study, {.sampler = kFixed}, langevin_sweeps(1500));
  expect_moments(fit.model, gamma_moments(3, *study.priors[0]));
}

TEST(Langevin, OfGaussianTablesAgreesWithTheConjugatePosterior) {
  Study study = repeated_sum(-3, 0);
  study.tables[0].weight = 4;
  study.normal_priors = {NormalPrior{0.5}};
  const auto fit = sample_langevin(study, {.sampler = kFixed}, langevin_sweeps(1500));
  expect_moments(fit.model, normal_moments(-3, 4, 2));
}

// With steps of 0.05 to 0.02 the variance of SGLD is too large by a quarter of them at the mode, and more
// where the curvature is larger there: 0.05 is allowed. At temperature 1/2 it would be too small by a half.
TEST(Sgld, OfCountsAgreesWithTheConjugatePosterior) {
  Study study = repeated_sum(3, 1);
  study.priors[0] = GammaPrior{0.8, 2};
  const auto fit =
      sample_sgld(study, {.sampler = kFixed, .batches = 1, .step = 0.1, .delay = 100}, langevin_sweeps(3000));
  expect_moments(fit.model, gamma_moments(3, *study.priors[0]), 0.05);
}

TEST(Sgld, OfGaussianTablesAgreesWithTheConjugatePosterior) {
  Study study = repeated_sum(-3, 0);
  study.tables[0].weight = 4;
  study.normal_priors = {NormalPrior{0.5}};
  const auto fit =
      sample_sgld(study, {.sampler = kFixed, .batches = 1, .step = 0.1, .delay = 100}, langevin_sweeps(3000));
  expect_moments(fit.model, normal_moments(-3, 4, 2), 0.05);
}

TEST(SgdMap, FindsTheModeOfAPosterior) {
  // Of s = T1 + T2: (y + 2 (a - 1)) / (b + 1), with a = 1.5 and b = 1.
  Study study = repeated_sum(3, 1);
  study.priors[0] = GammaPrior{1.5, 1.5};
  const auto fit = fit_sgd_map(study, {.batches = 2, .step = 0.5}, langevin_sweeps(300));
  EXPECT_TRUE(fit.model.samples.empty());
  for (double value : fit.model.mean.factors[0].values) EXPECT_NEAR(value, (3 + 2 * 0.5) / (1 + 1) / 2, 0.05);
}

TEST(SgdMap, FindsTheLeastDivergenceWithoutPriors) {
  const Study study = matrix_study(small_counts(Unlisted::zero), 1, 1);
  const auto exact = fit_multiplicative(study, {}, langevin_sweeps(100));
  const auto fit = fit_sgd_map(study, {.batches = 1, .step = 1}, langevin_sweeps(300));
  EXPECT_NEAR(fit.history.back().objective, exact.history.back().objective, 1e-3);
}

TEST(SgdMap, FindsTheLeastSquaresOfNegativeData) {
  Study study = matrix_study(small_counts(Unlisted::missing), 0, 1);
  for (float& value : study.tables[0].data.values()) value -= 2;
  study.normal_priors = {NormalPrior{4}, NormalPrior{4}};
  const auto exact = fit_least_squares(study, {}, langevin_sweeps(200));
  const auto fit = fit_sgd_map(study, {.batches = 1, .step = 1}, langevin_sweeps(400));
  // The energy of priors has log(variance) / 2 for each of 9 elements, and 1 for the rate of each factor.
  const double constant = 9 * 0.5 * std::log(4.0) + 2;
  EXPECT_NEAR(fit.history.back().objective - constant, exact.history.back().objective, 1e-2);
}

// A model of one element, which all values are observations of.
Study one_element(const Divergence& divergence, const std::vector<float>& values) {
  Study study;
  study.entities = {{"A", {}}};
  study.model.axes = {{"u", "A", 1}};
  study.model.factors = {{"T", {0}, {}}};
  study.model.products = {{"y", {0}, {0}}};
  SparseTensor data(Shape{1, 1}, Unlisted::missing);
  for (float value : values) data.append(std::array<Index, 2>{0, 0}, value);
  study.tables.push_back({.data = std::move(data), .divergence = divergence});
  study.priors.resize(1);
  return study;
}

// The mode of 30 ones among 40 solves 30 - 40 p = m / 100, p the probability of log odds m: it lies within
// 0.0015 of log 3, since the curvature is 40 p (1 - p) = 7.5.
TEST(SgdMap, FindsTheLogOddsOfZerosAndOnes) {
  std::vector<float> values(30, 1);
  values.resize(40, 0);
  Study study = one_element(Bernoulli{}, values);
  EXPECT_THROW(fit_sgd_map(study, {}, langevin_sweeps(1)), Error);  // without a prior it may be infinite
  study.normal_priors = {NormalPrior{100}};
  const auto fit = fit_sgd_map(study, {.batches = 1, .step = 1}, langevin_sweeps(300));
  EXPECT_NEAR(fit.model.mean.factors[0].values[0], std::log(3), 2e-3);
}

// The outlier pulls as much as a value at distance 1: the least loss of 0, 0, 0, 0 and 100 is where 4 m = 1.
TEST(SgdMap, OutliersPullNoMoreThanOneUnderHuber) {
  const auto fit =
      fit_sgd_map(one_element(Huber{}, {0, 0, 0, 0, 100}), {.batches = 1, .step = 1}, langevin_sweeps(300));
  EXPECT_NEAR(fit.model.mean.factors[0].values[0], 0.25, 1e-3);
}

// Every row has one of 0 and 1: by symmetry the posterior under N(0, 1) of 400 rows has a mean of 0, and its
// variance is that of the density e^(-m^2/2) e^m / (1 + e^m)^2, 0.6980 by quadrature.
TEST(Langevin, SamplesLogOdds) {
  Study study = repeated_sum(0, 0);
  study.model.axes[1].size = 1;
  study.tables[0].divergence = Bernoulli{};
  const std::size_t rows = study.tables[0].data.size();
  for (Index i = 0; i < rows; ++i) study.tables[0].data.append(std::array<Index, 2>{i, 0}, 1);
  study.normal_priors = {NormalPrior{1}};
  const auto fit = sample_langevin(study, {.sampler = kFixed}, langevin_sweeps(1500));
  double sum = 0, squares = 0;
  for (const Coupled& sample : fit.model.samples)
    for (double value : sample.factors[0].values) sum += value, squares += value * value;
  const double count = static_cast<double>(rows * fit.model.samples.size());
  EXPECT_NEAR(sum / count, 0, 0.05);
  EXPECT_NEAR(squares / count, 0.6980, 0.05);
}

TEST(Langevin, IsForLossesThatOtherInferenceRefuses) {
  for (const Divergence& divergence : {Divergence(Bernoulli{}), Divergence(Huber{})}) {
    const Study study = one_element(divergence, {1, 0});
    EXPECT_THROW(fit_multiplicative(study, {}, langevin_sweeps(1)), Error);
    EXPECT_THROW(fit_least_squares(study, {}, langevin_sweeps(1)), Error);
    EXPECT_THROW(sample_gibbs(study, {}, langevin_sweeps(1)), Error);
    EXPECT_THROW(fit_variational(study, {}, langevin_sweeps(1)), Error);
  }
}

TEST(Langevin, RefusesStepsThatDoNotConverge) {
  const Study study = matrix_study(small_counts(Unlisted::missing), 1, 1);
  EXPECT_THROW(sample_sgld(study, {.power = 0.5}, langevin_sweeps(1)), UsageError);
  EXPECT_THROW(sample_sgld(study, {.batches = 0}, langevin_sweeps(1)), UsageError);
  EXPECT_THROW(sample_sgld(study, {.step = 0}, langevin_sweeps(1)), UsageError);
}

}  // namespace
}  // namespace tulle
