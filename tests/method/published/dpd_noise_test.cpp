#include "published/dpd_noise.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

// 20,000 steps at rate 0.01, as chapter 8 says; with 379 and 378 the figures that it prints, 10.88 and 3.23.
TEST(DpdNoise, IsThatOfTheFormulas) {
  const Budget budget{0.5, 1e-4};
  EXPECT_NEAR(dpd_noise_ac(budget, 20'000, 0.01), 76.000, 5e-4);
  EXPECT_NEAR(dpd_noise_zcdp(budget, 20'000, 0.01), 13.353, 5e-4);
  EXPECT_NEAR(dpd_noise_ac(budget, 378.5, 0.01), 10.88, 0.01);
  EXPECT_NEAR(dpd_noise_zcdp(budget, 378.5, 0.01), 3.23, 0.01);
}

}  // namespace
}  // namespace tulle
