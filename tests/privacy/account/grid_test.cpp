#include "account/grid.hpp"

#include "account/single.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

TEST(LossGrid, KeepsTheProbabilitiesUnderBothDistributions) {
  using namespace account;
  const Pair pairs[] = {GaussianPair{1, 0.01, false}, GaussianPair{0.4, 0.3, true}, GaussianPair{2, 1, false},
                        LaplacePair{2, 0.1}, LaplacePair{0.7, 1}};
  for (const Pair& pair : pairs)
    for (auto direction : {Direction::remove, Direction::add}) {
      const GridLoss loss = discretise(pair, direction, 1e-3, 1e-13);
      double under_p = loss.infinite, under_q = 0;
      for (std::size_t i = 0; i < loss.mass.size(); ++i) {
        EXPECT_GE(loss.mass[i], 0);
        under_p += loss.mass[i];
        under_q += loss.mass[i] * std::exp(-1e-3 * static_cast<double>(loss.index[i]));
      }
      EXPECT_NEAR(under_p, 1, 1e-11);
      EXPECT_NEAR(under_q, 1, 1e-6);  // what was cut from the lower tail of P weighs more under Q
    }
}

TEST(LossGrid, AgreesWithTheExactDeltaAtItsPoints) {
  using namespace account;
  for (const Pair& pair :
       {Pair(GaussianPair{1, 0.05, false}), Pair(GaussianPair{0.8, 0.2, true}), Pair(LaplacePair{1.5, 0.3})})
    for (auto direction : {Direction::remove, Direction::add}) {
      const double width = 1e-2, epsilon = 12 * width;
      const GridLoss loss = discretise(pair, direction, width, 1e-15);
      double delta = loss.infinite;
      for (std::size_t i = 0; i < loss.mass.size(); ++i)
        delta +=
            loss.mass[i] * std::max(0.0, -std::expm1(epsilon - width * static_cast<double>(loss.index[i])));
      EXPECT_NEAR(delta, delta_of_one(pair, direction, epsilon), 1e-9 * delta + 3e-15);
    }
}

// A loss between two points is split so that its mass and its mean of e^-loss are kept.
TEST(LossGrid, SplitsAnAtomBetweenItsNeighbours) {
  using namespace account;
  // Losses +-0.25, of P-probability e^0.25 / (1 + e^0.25) above.
  const double q = -std::log1p(std::exp(0.25));
  const DiscretePair pair{{{0.25, q}, {-0.25, q + 0.25}}, 0, 1};
  const GridLoss loss = discretise(pair, Direction::remove, 0.1, 1e-15);
  double upper = 0, upper_under_q = 0;
  for (std::size_t i = 0; i < loss.index.size(); ++i) {
    EXPECT_TRUE(loss.index[i] == 2 || loss.index[i] == 3 || loss.index[i] == -3 || loss.index[i] == -2);
    if (loss.index[i] < 0) continue;
    upper += loss.mass[i];
    upper_under_q += loss.mass[i] * std::exp(-0.1 * static_cast<double>(loss.index[i]));
  }
  EXPECT_NEAR(upper, 1 / (1 + std::exp(-0.25)), 1e-14);
  EXPECT_NEAR(upper_under_q, 1 / (1 + std::exp(0.25)), 1e-14);
}

TEST(LossGrid, CoarserStridesStillDominate) {
  using namespace account;
  const Pair pair = GaussianPair{1, 0.2, false};
  const GridLoss loss = discretise(pair, Direction::remove, 1e-2, 1e-15, {{0.0, 1}, {0.5, 4}, {1.0, 16}});
  for (const double epsilon : {0.1, 0.6, 1.5}) {
    double delta = loss.infinite;
    for (std::size_t i = 0; i < loss.mass.size(); ++i)
      delta += loss.mass[i] * std::max(0.0, -std::expm1(epsilon - 1e-2 * static_cast<double>(loss.index[i])));
    const double exact = delta_of_one(pair, Direction::remove, epsilon);
    EXPECT_GE(delta, exact * (1 - 1e-9));
    EXPECT_LE(delta, exact * 1.1);
  }
}

TEST(LossGrid, RefusesPairsWithoutALossDistribution) {
  using namespace account;
  EXPECT_THROW(discretise(WithoutReplacement{1, 0.1}, Direction::remove, 1e-2, 1e-12), Error);
  EXPECT_THROW(discretise(Concentrated{1}, Direction::remove, 1e-2, 1e-12), Error);
}

}  // namespace
}  // namespace tulle
