#include "../../data/small_study.hpp"
#include "conjugate.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/coupled/gibbs.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Control gibbs_sweeps(int count) {
  return {.max_iterations = count, .tolerance = 0, .seed = 5, .observer = {}};
}

TEST(Gibbs, OfCountsAgreesWithTheConjugatePosterior) {
  Study study = repeated_sum(3, 1);
  study.priors[0] = GammaPrior{0.8, 2};
  const auto fit = sample_gibbs(study, {.samples = 100, .sample_priors = false}, gibbs_sweeps(400));
  expect_moments(fit.model, gamma_moments(3, *study.priors[0]));
}

TEST(Gibbs, OfZerosInClosedFormAgreesToo) {
  Study study = repeated_sum(0, 1);
  study.tables[0].data = SparseTensor(Shape{400, 1}, Unlisted::zero);
  study.priors[0] = GammaPrior{0.8, 2};
  const auto fit = sample_gibbs(study, {.samples = 50, .sample_priors = false}, gibbs_sweeps(100));
  expect_moments(fit.model, gamma_moments(0, *study.priors[0]));
}

TEST(Gibbs, OfGaussianTablesAgreesWithTheConjugatePosterior) {
  Study study = repeated_sum(-3, 0);
  study.tables[0].weight = 4;
  study.normal_priors = {NormalPrior{0.5}};
  const auto fit = sample_gibbs(study, {.samples = 100, .sample_priors = false}, gibbs_sweeps(200));
  expect_moments(fit.model, normal_moments(-3, 4, 2));
}

// The variance of 400 residuals has a relative standard error of sqrt(2 / 400) = 0.07; ten of them are
// allowed.
TEST(Gibbs, FindsTheVarianceOfATable) {
  Study study = repeated_sum(0, 0);
  Random random(3);
  for (float& value : study.tables[0].data.values()) value = static_cast<float>(0.1 * random.normal());
  study.normal_priors = {NormalPrior{1e-8}};  // nothing is left to the factor
  const auto fit =
      sample_gibbs(study, {.sample_priors = false, .sample_dispersion = true}, gibbs_sweeps(200));
  EXPECT_NEAR(fit.model.mean.products[0].dispersion, 0.01, 0.007);
}

// With one observation of 4 per row and prior mean 100, rates are drawn such that elements have a mean of 4 /
// 2, whose standard error is below 0.1; ten of them are allowed.
TEST(Gibbs, DrawsTheRatesOfPriors) {
  Study study = repeated_sum(4, 1);
  study.priors[0] = GammaPrior{1, 100};
  const auto fit = sample_gibbs(study, {}, gibbs_sweeps(200));
  double sum = 0;
  for (double value : fit.model.mean.factors[0].values) sum += value;
  EXPECT_NEAR(sum / 800, 2, 0.4);
  // A Gamma(1) prior of mean 100 would have left 4 + 1 of a sum of 4 nearly as it is: rate 1 / 100 + 1.
  const auto fixed = sample_gibbs(study, {.sample_priors = false}, gibbs_sweeps(200));
  sum = 0;
  for (double value : fixed.model.mean.factors[0].values) sum += value;
  EXPECT_NEAR(sum / 800, 3, 0.4);
}

TEST(Gibbs, TheResultDoesNotDependOnThreads) {
  SparseTensor data(Shape{120, 100}, Unlisted::zero);
  Random random(5);
  for (Index i = 0; i < 120; ++i)
    for (Index j = 0; j < 100; ++j)
      if (random.chance(0.8)) data.append(std::array{i, j}, static_cast<float>(1 + random.below(30)));
  const Study study = matrix_study(std::move(data), 1, 8);
  const int before = threads();
  std::vector<Coupled> models;
  for (int count : {1, 3}) {
    set_threads(count);
    models.push_back(sample_gibbs(study, {}, gibbs_sweeps(4)).model.mean);
  }
  set_threads(before);
  EXPECT_EQ(models[0], models[1]);
}

TEST(Gibbs, IsForCountsOrGaussianTables) {
  Study study = matrix_study(small_counts(Unlisted::missing), 1, 1);
  study.tables[0].weight = 2;
  EXPECT_THROW(sample_gibbs(study, {}, gibbs_sweeps(1)), Error);
  study = matrix_study(small_counts(Unlisted::missing), 1, 1);
  study.tables[0].data.values()[0] = 1.5f;
  EXPECT_THROW(sample_gibbs(study, {}, gibbs_sweeps(1)), Error);
  study = matrix_study(small_counts(Unlisted::missing), 2, 1);
  EXPECT_THROW(sample_gibbs(study, {}, gibbs_sweeps(1)), Error);
}

}  // namespace
}  // namespace tulle
