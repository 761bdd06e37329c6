#include "published/sgld_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

constexpr SgldRun kRun{
    .budget = {1, 1e-3}, .steps = 300, .rate = 0.02, .cells = 5000, .clip = 2, .first = 0.05};

double multiplier(SgldRule rule, const SgldRun& run, int step = 1) {
  const SgldStep made = sgld_step(rule, run, step);
  return made.deviation / (2 * run.clip * made.size);
}

// Theorem 4.1 with the numbers of its example: eta_1 < 0.103.
TEST(SgldNoise, TheConstantOfLiIsThatOfTheThesisExample) {
  const SgldRun example{
      .budget = {0.1, 1e-5}, .steps = 10000, .rate = 1, .cells = 50000, .clip = 1, .first = 1};
  // sigma_1 = c2 T^(1/3) sqrt(ln(1/delta)) / (epsilon S).
  const double c2 = sgld_step(SgldRule::li_decreasing, example, 1).deviation * 0.1 * 50000 /
                    (std::cbrt(10000) * std::sqrt(std::log(1e5)));
  EXPECT_NEAR(0.1 * 0.1 * 50000 / (c2 * c2 * std::cbrt(1e8) * std::log(1e5)), 0.103, 5e-4);
}

// Appendix B has no S^2: as printed the noise of twice the cells is half as large, though a batch that is
// clipped to G changes by 2 G whatever S is. The other rules do not know S.
TEST(SgldNoise, LiDividesByTheNumberOfCells) {
  SgldRun twice = kRun;
  twice.cells *= 2;
  EXPECT_NEAR(multiplier(SgldRule::li_decreasing, twice) / multiplier(SgldRule::li_decreasing, kRun), 0.5,
              1e-12);
  for (const SgldRule rule : {SgldRule::li_fixed, SgldRule::wang_noise, SgldRule::advanced, SgldRule::zcdp})
    EXPECT_EQ(multiplier(rule, twice), multiplier(rule, kRun));
}

// eta_0 = c4 q sqrt(ln(1/delta)) / epsilon: nothing grows with the number of steps, each of which is
// released.
TEST(SgldNoise, TheFixedStepOfLiDoesNotPayForSteps) {
  SgldRun more = kRun;
  more.steps *= 100;
  EXPECT_EQ(multiplier(SgldRule::li_fixed, more), multiplier(SgldRule::li_fixed, kRun));
  for (const SgldRule rule :
       {SgldRule::li_decreasing, SgldRule::wang_noise, SgldRule::advanced, SgldRule::zcdp})
    EXPECT_GT(multiplier(rule, more), 2 * multiplier(rule, kRun));
}

// Step sizes fall as t^(-1/3), noise as t^(-1/6).
TEST(SgldNoise, StepsOfLiDecrease) {
  const SgldStep first = sgld_step(SgldRule::li_decreasing, kRun, 1);
  const SgldStep later = sgld_step(SgldRule::li_decreasing, kRun, 64);
  EXPECT_NEAR(later.size, first.size / 4, 1e-15);
  EXPECT_NEAR(later.deviation, first.deviation / 2, 1e-15);
}

// sigma' = L sqrt(256 T B ln(2.5 n_B T / delta) ln(2/delta)) / (epsilon sqrt(C_v)), with T = 6 passes of 50
// batches of 100 cells.
TEST(SgldNoise, WangIsAppendixC) {
  const SgldStep step = sgld_step(SgldRule::wang_noise, kRun, 1);
  const double of_sum = step.deviation / (step.size * 50);
  EXPECT_NEAR(
      of_sum,
      2 * std::sqrt(256.0 * 6 * 100 * std::log(2.5 * 300 / 1e-3) * std::log(2 / 1e-3)) / std::sqrt(5000.0),
      1e-9);
}

// (4.27): the noise of SGLD itself. The experiments of 7.2 have alpha = 0.9.
TEST(SgldNoise, WangByStepSizeHasTheVarianceOfTheStep) {
  const SgldStep step = sgld_step(SgldRule::wang_step, kRun, 3);
  EXPECT_NEAR(step.deviation * step.deviation, step.size, 1e-18);
  EXPECT_NEAR(step.size, 0.9 / (128 * 4 * std::log(2.5 * 300 / 1e-3) * std::log(2 / 1e-3) * 3), 1e-12);
}

// Figure 7.7's setting, as its own formulas have it (the thesis prints 8.14 and 2.87).
TEST(SgldNoise, CompositionsOfFigure7) {
  EXPECT_NEAR(multiplier(SgldRule::advanced, kRun), 8.58, 0.01);
  EXPECT_NEAR(multiplier(SgldRule::zcdp, kRun), 2.70, 0.01);
}

}  // namespace
}  // namespace tulle
