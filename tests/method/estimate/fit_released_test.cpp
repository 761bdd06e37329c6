#include "estimate/fit_released.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/metrics.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

SparseTensor with_noise(SparseTensor cells, double deviation, std::uint64_t seed) {
  Random random(seed);
  for (float& value : cells.values()) value += static_cast<float>(deviation * random.normal());
  return cells;
}

int rank_of(const Model& model) {
  return std::get<Cp>(model).rank();
}

double error_on(const DenseTensor& truth, const Model& model) {
  return rmse(truth.values(), reconstruct(model).values());
}

TEST(FitReleased, FindsRankAndSignal) {
  const Synthetic data = generate_cp(Shape{15, 14, 13}, 2, 3, 20);
  FitOptions options;
  options.seed = 1;
  const Completion fit = fit_released(observe(data.noisy, 0.7, 3), options);
  EXPECT_GE(rank_of(fit.model), 2);
  const Completion mean = fit_released(observe(data.noisy, 0.7, 3), {.ranks = {0}});
  EXPECT_LT(error_on(data.truth, fit.model), 0.3 * error_on(data.truth, mean.model));
}

// Of noise alone nothing is learnt but the mean: at most one in six such choices goes wrong by the rule of
// one standard error, and these seeds are fixed.
TEST(FitReleased, NoiseWithoutSignalIsItsMean) {
  const DenseTensor level(Shape{12, 11, 10}, std::vector<double>(12 * 11 * 10, 3.0));
  for (ModelKind model : {ModelKind::cp, ModelKind::tucker})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      FitOptions options{.model = model};
      options.seed = seed;
      const SparseTensor cells = with_noise(observe(level, 0.6, seed), 5, seed);
      const double mean = std::accumulate(cells.values().begin(), cells.values().end(), 0.0) /
                          static_cast<double>(cells.size());
      const Model fit = fit_released(cells, options).model;
      EXPECT_EQ(kind(fit), model);
      const DenseTensor all = reconstruct(fit);
      for (double value : all.values()) EXPECT_NEAR(value, mean, 1e-5);
    }
}

TEST(FitReleased, OffsetsAloneAreFound) {
  Random random(5);
  Biases biases{2, {Vector(30), Vector(25)}};
  for (Vector& offsets : biases.offsets)
    for (double& offset : offsets) offset = random.normal();
  DenseTensor truth(Shape{30, 25});
  add_biases(biases, truth);
  const Completion fit = fit_released(with_noise(observe(truth, 0.8, 5), 1, 5), {.ranks = {0}});
  EXPECT_EQ(rank_of(fit.model), 0);
  EXPECT_LT(error_on(truth, fit.model), 0.4);
}

TEST(FitReleased, KeepsToTheRankAskedFor) {
  const Synthetic data = generate_tucker(Shape{12, 12, 12}, std::vector<Index>{3, 3, 3}, 4, 50);
  FitOptions options{.model = ModelKind::tucker, .ranks = {2, 3, 1}};
  const Model fit = fit_released(observe(data.noisy, 0.8, 4), options).model;
  const Shape core = std::get<Tucker>(fit).core.shape();
  EXPECT_LE(core[0], 2u);
  EXPECT_LE(core[1], 3u);
  EXPECT_EQ(core[2], 1u);
}

TEST(FitReleased, OneCellIsItsOwnMean) {
  const SparseTensor cell(Cells(Shape{1, 1, 1}, {{0}, {0}, {0}}), {2.5F}, Unlisted::missing);
  EXPECT_NEAR(reconstruct(fit_released(cell, {}).model).values()[0], 2.5, 1e-12);
}

TEST(FitReleased, RefusesOtherModels) {
  EXPECT_THROW(check_released_fit({.model = ModelKind::tubal}), UsageError);
  EXPECT_THROW(check_released_fit({.solver = Solver::hooi}), UsageError);
  EXPECT_NO_THROW(check_released_fit({.ranks = {0}}));  // the mean
}

}  // namespace
}  // namespace tulle
