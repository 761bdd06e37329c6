#include "estimate/langevin.hpp"

#include "estimate/descent.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// One shared factor of 4000 rows and 1 column, and one own row: every parameter is a chain of its own with
// the posterior N(m, 1 / (tau n c + lambda)) of n cells with products of mean square c.
struct Chains {
  ModelLayout layout = ModelLayout::cp(Shape{1, 4000}, 1);
  Langevin langevin;
  std::vector<double> sum;

  explicit Chains(int steps)
      : langevin(layout, 0, {{0, 1}}, std::vector<double>(layout.size(), 0.5), steps, 3),
        sum(layout.size()) {}

  // Gradients of n (m - theta) c for m = 1, c = 0.25 (the square of the start), with noise that is known to
  // be there.
  void step(double rate, double cells_of_a_row, double deviation, Random& random) {
    for (std::size_t i = 1; i < sum.size(); ++i)
      sum[i] = cells_of_a_row * 0.25 * (1 - langevin.parameters()[i]) + deviation * random.normal();
    langevin.step({sum, deviation, {cells_of_a_row * 4000}, 1}, rate);
  }

  double mean() const {
    double total = 0;
    for (std::size_t i = 1; i < sum.size(); ++i) total += langevin.parameters()[i];
    return total / 4000;
  }
  double variance() const {
    double squares = 0;
    for (std::size_t i = 1; i < sum.size(); ++i) squares += std::pow(langevin.parameters()[i] - mean(), 2);
    return squares / 4000;
  }
};

// The prior's precision is about 1 for parameters around 1, against 20 / 0.15 * 0.25 = 33 of the data. The
// variance of a chain with steps of rate 0.1 is 1 / (1 - 0.05) times that of the posterior; of 4000 numbers
// it is known to 2.3 %, of which 5.3 are exceeded with probability 1e-7.
TEST(Langevin, ChainsHaveTheVarianceOfThePosterior) {
  Random random(5);
  for (const double deviation : {0.0, 0.5}) {
    Chains chains(100);
    for (int step = 0; step < 100; ++step) chains.step(0.1, 20, deviation, random);
    const double precision = 20 * 0.25 / kExpectedNoise + 1;
    EXPECT_NEAR(chains.variance() * precision, 1 / 0.95, 0.13) << deviation;
    EXPECT_NEAR(chains.mean(), 1, 0.05);
    EXPECT_EQ(chains.langevin.shortened(), 1) << "noise of the gradient is a part of what is wanted";
  }
}

// The variance is still that of the posterior: noise of the gradient is all of the Langevin noise then.
TEST(Langevin, MoreNoiseThanWantedMakesStepsShorter) {
  Random random(5);
  Chains chains(400);
  for (int step = 0; step < 400; ++step) chains.step(0.5, 20, 3, random);
  EXPECT_LT(chains.langevin.shortened(), 0.5);
  EXPECT_NEAR(chains.variance() * (20 * 0.25 / kExpectedNoise + 1), 1, 0.2);
}

// The mean over samples of the last half varies less than one sample.
TEST(Langevin, TheMeanIsOfTheLastHalf) {
  Random random(5);
  Chains chains(200);
  for (int step = 0; step < 200; ++step) chains.step(0.5, 20, 0, random);
  const std::vector<double> mean = chains.langevin.mean();
  double squares = 0;
  for (std::size_t i = 1; i < mean.size(); ++i) squares += std::pow(mean[i] - chains.mean(), 2) / 4000;
  EXPECT_LT(squares, chains.variance() / 10);
  EXPECT_EQ(mean[0], 0.5) << "rows that do not move";
}

}  // namespace
}  // namespace tulle
