#include "method/private_run.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::PrivateRun;

SparseTensor data() {
  return observe(generate_cp(Shape{10, 9, 8}, 2, 3).noisy, 0.6, 4);
}

PrivateRun printed(NoiseKind noise) {
  PrivateRun run{"factor"};
  run.terms.budget = {1, noise == NoiseKind::gaussian ? 1e-6 : 0};
  run.terms.calibration = Calibration::published;
  run.settings.set(setting::noise, noise);
  run.settings.set(setting::steps, 3);
  return run;
}

// Flaw of both modules: every factor but the first leaves without noise, and tells neighbours apart for sure.
TEST(FactorAsPublished, ReleasesAllButTheFirstFactorWithoutNoise) {
  for (NoiseKind noise : {NoiseKind::laplace, NoiseKind::gaussian}) {
    PrivateRun run = printed(noise);
    const auto first = testing::cp(run(data())).factors;
    run.terms.seed = 2;
    const auto second = testing::cp(run(data())).factors;
    EXPECT_NE(first[0], second[0]);
    EXPECT_EQ(first[1], second[1]);
    EXPECT_EQ(first[2], second[2]);
    SparseTensor other = data();
    other.values()[0] += 0.01f;
    EXPECT_NE(testing::cp(run(other)).factors[1], first[1]);
  }
}

// In sound form the other factors know nothing of the data.
TEST(Factor, OtherFactorsAreNotComputedFromTheData) {
  PrivateRun run{"factor"};
  const auto first = testing::cp(run(data())).factors;
  SparseTensor other = data();
  for (float& value : other.values()) value = 1 - value;
  run.terms.seed = 2;
  const auto second = testing::cp(run(other)).factors;
  EXPECT_EQ(first[1], second[1]);
  EXPECT_EQ(first[2], second[2]);
  EXPECT_EQ(run(data()).guarantee.status, Guarantee::Status::proven);
}

// Theorem 1: scale 2 Delta / epsilon, Delta the width of the range.
TEST(FactorAsPublished, LaplaceNoiseHasTheScaleOfTheProof) {
  EXPECT_NEAR(printed(NoiseKind::laplace)(data()).guarantee.releases.front().deviation, std::sqrt(2.0) * 2,
              1e-4);
}

// Flaw of module 3: noise is added once, but grows with the square root of T^3 as budget and bound are both
// for T steps; and its scale is measured on the data.
TEST(FactorAsPublished, GaussianNoiseIsMeasuredOnTheData) {
  SparseTensor larger = data();
  for (float& value : larger.values()) value = 1;
  const auto deviation = [](const Completion& run) { return run.guarantee.releases.front().deviation; };
  EXPECT_NE(deviation(printed(NoiseKind::gaussian)(data())), deviation(printed(NoiseKind::gaussian)(larger)));
  PrivateRun sound{"factor"};
  EXPECT_EQ(deviation(sound(data())), deviation(sound(larger)));
}

TEST(Factor, SaysWhatIsWrong) {
  PrivateRun run = printed(NoiseKind::gaussian);
  run.terms.budget.delta = 0;
  EXPECT_NE(run.refusal(data()).find("a delta above 0"), std::string::npos);
  run.settings.set(setting::noise, NoiseKind::duchi);
  EXPECT_NE(run.refusal(data()).find("laplace, gaussian"), std::string::npos);
}

}  // namespace
}  // namespace tulle
