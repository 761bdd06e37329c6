#include "completion/tubal/fit_released_tubal.hpp"

#include <tulle/base/random.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/metrics.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Noise whose deviation is that of the truth times `noise`, three times as large on every second cell.
NoisyCells noisy(const DenseTensor& truth, double noise, std::uint64_t seed) {
  NoisyCells released{observe(truth, 0.7, seed), {}, 0};
  Random random(seed);
  for (std::size_t entry = 0; entry < released.cells.size(); ++entry) {
    const double deviation = noise * (entry % 2 == 0 ? 1 : 3);
    released.cells.values()[entry] += static_cast<float>(deviation * random.normal());
    released.variances.push_back(deviation * deviation);
  }
  return released;
}

double error_of(const Completion& fit, const DenseTensor& truth) {
  return rmse(truth.values(), reconstruct(fit.model).values());
}

TEST(FitReleasedTubal, FindsTheSignalAndKeepsTheNoiseOut) {
  const DenseTensor truth = generate_tubal(Shape{40, 30, 5}, 1, 1).truth;
  double squares = 0;
  for (double value : truth.values()) squares += value * value;
  const double size = std::sqrt(squares / static_cast<double>(truth.size()));
  EXPECT_LT(error_of(fit_released_tubal(noisy(truth, 0.2 * size, 1), {}), truth), 0.15 * size);
  const Completion drowned = fit_released_tubal(noisy(truth, 50 * size, 1), {});
  EXPECT_EQ(drowned.solver, "mean");
  EXPECT_LT(error_of(drowned, truth), 1.02 * size);
}

TEST(FitReleasedTubal, LessNoisyCellsCountForMore) {
  const DenseTensor truth = generate_tubal(Shape{40, 30, 5}, 1, 1).truth;
  NoisyCells released = noisy(truth, 0.3, 2);
  const double weighted = error_of(fit_released_tubal(released, {}), truth);
  std::ranges::fill(released.variances, 5 * 0.3 * 0.3);
  EXPECT_LT(weighted, 0.9 * error_of(fit_released_tubal(released, {}), truth));
}

TEST(FitReleasedTubal, NoiseAloneIsTheLevel) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    NoisyCells released = noisy(DenseTensor(Shape{20, 20, 4}), 1, seed);
    released.level = 3;
    for (float& value : released.cells.values()) value += 3;
    const Completion fit = fit_released_tubal(released, {.seed = seed});
    EXPECT_EQ(fit.solver, "mean");
    const DenseTensor all = reconstruct(fit.model);
    for (double value : all.values()) ASSERT_EQ(value, 3);
  }
}

}  // namespace
}  // namespace tulle
