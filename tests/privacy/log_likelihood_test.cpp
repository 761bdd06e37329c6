#include <tulle/privacy/additive_noise.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

Sensitivity one() {
  return Sensitivity::one_coordinate(1, Unit::entry, Relation::replace);
}

double ratio(const AdditiveNoise& noise, double released, double second, double first) {
  return noise.log_likelihood({&released, 1}, {&second, 1}) -
         noise.log_likelihood({&released, 1}, {&first, 1});
}

TEST(LogLikelihood, OfLaplaceNoiseIsBoundedByEpsilon) {
  const auto noise = AdditiveNoise::laplace(one(), 0.7, 1);
  EXPECT_NEAR(ratio(noise, 2, 1, 0), 0.7, 1e-5);
  EXPECT_NEAR(ratio(noise, -3, 1, 0), -0.7, 1e-5);
  EXPECT_NEAR(ratio(noise, 0.5, 1, 0), 0, 1e-5);
}

// Beyond the threshold the noise of scale 1/0.7 is seen, below it that it is below: P(noise < 3) at 0,
// P(noise < 2) at 1, for discrete Laplace noise a^k / (1 + a) in all beyond k.
TEST(LogLikelihood, OfWhatIsBelowAThresholdIsThatOfTheTail) {
  const auto noise = AdditiveNoise::discrete_laplace_above(one(), 0.7, 1, 3);
  EXPECT_NEAR(ratio(noise, 5, 1, 0), 0.7, 1e-9);
  const double a = std::exp(-0.7);
  const auto below = [&](double k) { return 1 - std::pow(a, k) / (1 + a); };
  EXPECT_NEAR(ratio(noise, 0, 1, 0), std::log(below(2) / below(3)), 1e-9);
}

TEST(LogLikelihood, OfGaussianNoiseIsLinear) {
  const auto noise = AdditiveNoise::gaussian(one(), 2, 1);
  EXPECT_NEAR(ratio(noise, 3, 1, 0), 2.5 / 4, 1e-5);
  EXPECT_NEAR(ratio(noise, 0.5, 1, 0), 0, 1e-5);
}

TEST(LogLikelihood, OfStaircaseNoiseHasSteps) {
  const double epsilon = 1.5, gamma = Staircase::optimal(epsilon, 1).gamma();
  const auto noise = AdditiveNoise::staircase(one(), epsilon, 1);
  const double inside = gamma / 2, outside = (1 + gamma) / 2;
  EXPECT_NEAR(ratio(noise, outside, 0, outside - inside), -epsilon, 1e-6);
  EXPECT_NEAR(ratio(noise, inside + 2, 0, 1), -epsilon, 1e-6);
  EXPECT_NEAR(ratio(noise, inside, 0, 0), 0, 1e-12);
}

TEST(LogLikelihood, OfBoundedResponsesIsBoundedByEpsilon) {
  const auto duchi = AdditiveNoise::duchi({0, 1}, Unit::entry, Relation::replace, 1, 1);
  EXPECT_NEAR(ratio(duchi, 5, 1, 0), 1, 1e-6);
  EXPECT_NEAR(ratio(duchi, -5, 1, 0), -1, 1e-6);
  const auto piecewise = AdditiveNoise::piecewise({0, 1}, Unit::entry, Relation::replace, 1, 1);
  const double window = Piecewise::with_epsilon(1).bound();
  EXPECT_NEAR(ratio(piecewise, 0.5 + window / 2 * 0.999, 1, 0), 1, 1e-6);
  EXPECT_NEAR(ratio(piecewise, 0.5 - window / 2 * 0.999, 1, 0), -1, 1e-6);
}

// exp(-|difference|_2 epsilon) for the whole vector.
TEST(LogLikelihood, OfNormNoiseSeesTheLength) {
  const auto noise = AdditiveNoise::gamma_norm(Sensitivity::l2(1, Unit::entry, Relation::replace), 2, 2);
  const double released[] = {3, 4}, there[] = {3, 4}, origin[] = {0, 0};
  EXPECT_NEAR(noise.log_likelihood(released, there) - noise.log_likelihood(released, origin), 10, 1e-4);
}

}  // namespace
}  // namespace tulle
