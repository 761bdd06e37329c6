#include "account/pair.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::account {
namespace {

constexpr Direction kDirections[] = {Direction::remove, Direction::add};

PoissonSampling poisson(double rate) {
  return PoissonSampling::what_if(rate);
}

Pair pair_of(const Event& event, Relation relation) {
  return loss_analysis(event, relation)->pair;
}

// Sum of P, and of Q = P e^-loss, over the points.
struct Masses {
  double p = 0, q = 0;
};

Masses masses(const LossPoints& loss) {
  Masses sum{loss.infinite, 0};
  for (const LossPoint& point : loss.points) {
    sum.p += std::exp(point.log_p);
    sum.q += std::exp(point.log_p - point.loss);
  }
  return sum;
}

// Largest finite loss of the points.
double largest(const Pair& pair, Direction direction) {
  double most = -INFINITY;
  for (const LossPoint& point : loss_points(pair, direction, 0).points) most = std::max(most, point.loss);
  return most;
}

TEST(Dampen, IsInvertedByUndampen) {
  for (const double rate : {1e-9, 0.01, 0.5, 1.0})
    for (const double loss : {-3.0, -1e-6, 0.0, 1e-9, 0.3, 0.999, 1.001, 40.0, 900.0}) {
      const double sampled = dampen(loss, rate);
      EXPECT_NEAR(undampen(sampled, rate), loss, 1e-6 * std::max(1e-3, std::abs(loss)))
          << rate << " " << loss;
      EXPECT_LE(std::abs(sampled), std::abs(loss) * (1 + 1e-12));
    }
  EXPECT_NEAR(dampen(std::log(3.0), 0.5), std::log(2.0), 1e-15);  // (1 + 3) / 2
}

TEST(ReplacedLoss, IsFoundWhereItIs) {
  for (const double rate : {0.01, 0.3, 1.0})
    for (const double loss : {-2.0, -0.1, 0.05, 0.9, 1.1, 5.0}) {
      const double s = 0.8, y = place_of_replaced_loss(s, rate, loss);
      const auto log_ratio = [&](double x) { return dampen((x - 0.5) / (s * s), rate); };
      EXPECT_NEAR(log_ratio(y) - log_ratio(-y), loss, 1e-10) << rate;
    }
}

// P and Q are distributions, in both directions. Under P all of the mass is there; under Q at most 1, as what
// only Q shows is no loss of P.
TEST(LossPoints, AreTwoDistributions) {
  const Pair pairs[] = {GaussianPair{1.3, 0.2, false},
                        GaussianPair{0.7, 0.4, true},
                        LaplacePair{0.9, 0.3},
                        pair_of(Event::discrete_gaussian(3, 2).sampled(poisson(0.1)), Relation::add_remove),
                        pair_of(Event::discrete_laplace(2, 3), Relation::replace),
                        pair_of(Event::approximate(0.5, 0), Relation::replace)};
  for (const Pair& pair : pairs)
    for (const Direction direction : kDirections) {
      const Masses sum = masses(loss_points(pair, direction, 0));
      EXPECT_NEAR(sum.p, 1, 1e-11);
      EXPECT_NEAR(sum.q, 1, 1e-11);
    }
}

TEST(LossPoints, ADeltaIsAnInfiniteLoss) {
  const Pair pair = pair_of(Event::approximate(0.5, 0.01), Relation::replace);
  for (const Direction direction : kDirections) {
    const LossPoints loss = loss_points(pair, direction, 0);
    EXPECT_NEAR(loss.infinite, 0.01, 1e-15);
    EXPECT_NEAR(masses(loss).p, 1, 1e-14);
    EXPECT_NEAR(masses(loss).q, 0.99, 1e-14);
  }
  // Sampled, P shows it at the rate; the other way round it has the loss -ln(1 - rate).
  const Pair sampled = pair_of(Event::approximate(0.5, 0.01).sampled(poisson(0.1)), Relation::add_remove);
  EXPECT_NEAR(loss_points(sampled, Direction::remove, 0).infinite, 0.001, 1e-15);
  EXPECT_EQ(loss_points(sampled, Direction::add, 0).infinite, 0);
  EXPECT_NEAR(largest(sampled, Direction::add), -std::log(0.9), 1e-12);
}

TEST(LossPoints, PairsWithoutALossDistributionLoseEverything) {
  EXPECT_EQ(loss_points(WithoutReplacement{1, 0.1}, Direction::remove, 0).infinite, 1);
  EXPECT_EQ(loss_points(Concentrated{1}, Direction::remove, 0).infinite, 1);
}

TEST(Analysis, LargestLossesAreTheEpsilonsOfPureReleases) {
  EXPECT_NEAR(largest(pair_of(Event::pure(0.7), Relation::replace), Direction::remove), 0.7, 1e-15);
  EXPECT_NEAR(largest(pair_of(Event::laplace(2), Relation::replace), Direction::remove), 0.5, 1e-15);
  EXPECT_NEAR(largest(pair_of(Event::discrete_laplace(6, 3), Relation::replace), Direction::remove), 0.5,
              1e-15);
  // Poisson at rate q: ln(1 - q + q e^epsilon) against removal.
  EXPECT_NEAR(
      largest(pair_of(Event::pure(0.7).sampled(poisson(0.2)), Relation::add_remove), Direction::remove),
      std::log(0.8 + 0.2 * std::exp(0.7)), 1e-14);
  // Under replacement the contribution may change sides: (1 - q + q e^epsilon) / (1 - q + q e^-epsilon).
  EXPECT_NEAR(largest(pair_of(Event::pure(0.7).sampled(poisson(0.2)), Relation::replace), Direction::remove),
              std::log((0.8 + 0.2 * std::exp(0.7)) / (0.8 + 0.2 * std::exp(-0.7))), 1e-14);
  // A batch of a fifth of the units, replaced: amplification by the same formula as removal (Balle, Barthe,
  // Gaboardi 2018).
  EXPECT_NEAR(
      largest(pair_of(Event::pure(0.7).sampled(FixedBatch(2, 10)), Relation::replace), Direction::remove),
      std::log(0.8 + 0.2 * std::exp(0.7)), 1e-14);
}

// Sampled for certain under replacement, the contribution changes by twice its norm.
TEST(Analysis, CertainSamplingUnderReplacementDoublesTheShift) {
  const auto gaussian =
      std::get<GaussianPair>(pair_of(Event::gaussian(2).sampled(poisson(1)), Relation::replace));
  EXPECT_EQ(gaussian.noise, 1);
  EXPECT_FALSE(gaussian.replace);
  EXPECT_EQ(std::get<LaplacePair>(pair_of(Event::laplace(2).sampled(poisson(1)), Relation::replace)).noise,
            1);
}

TEST(Analysis, WithoutALossDistributionThereIsARenyiBound) {
  const Event fixed = Event::gaussian(2).sampled(FixedBatch(10, 1000));
  EXPECT_FALSE(loss_analysis(fixed, Relation::replace));
  EXPECT_TRUE(std::holds_alternative<WithoutReplacement>(renyi_analysis(fixed, Relation::replace)->pair));
  const Event coarse = Event::discrete_gaussian(1, 2, 3);
  EXPECT_FALSE(loss_analysis(coarse, Relation::replace));
  // rho = 1 / (2 m^2) with the noise multiplier m = sigma / sensitivity.
  EXPECT_EQ(std::get<Concentrated>(renyi_analysis(coarse, Relation::replace)->pair).rho, 2);
  EXPECT_THROW(loss_analysis(fixed, Relation::add_remove), UsageError);
  EXPECT_THROW(refuse(coarse, Relation::replace), UsageError);
}

// Integer noise on many coordinates is analysed as continuous noise at a distance in total variation.
TEST(Analysis, IntegerNoiseIsCloseToContinuousNoise) {
  const auto fine = loss_analysis(Event::discrete_gaussian(1000, 10, 7), Relation::replace);
  EXPECT_EQ(std::get<GaussianPair>(fine->pair).noise, 100);
  EXPECT_NEAR(fine->distance, 7 * 0.021e-6, 1e-18);
  EXPECT_EQ(loss_analysis(Event::discrete_gaussian(5, 2), Relation::replace)->distance, 0);  // exact
}

TEST(PairProperties, SymmetryAndWidth) {
  EXPECT_TRUE(symmetric(GaussianPair{1, 1, false}));
  EXPECT_TRUE(symmetric(GaussianPair{1, 0.5, true}));
  EXPECT_FALSE(symmetric(GaussianPair{1, 0.5, false}));
  EXPECT_FALSE(symmetric(LaplacePair{1, 0.5}));
  EXPECT_EQ(natural_width(LaplacePair{4, 1}), 0.25);
  EXPECT_EQ(natural_width(LaplacePair{4, 0.5}), 0);
  EXPECT_NEAR(natural_width(pair_of(Event::pure(0.7), Relation::replace)), 0.7, 1e-15);
  EXPECT_TRUE(fits_grid(GaussianPair{0.02, 1, false}));
  EXPECT_FALSE(fits_grid(GaussianPair{0.005, 1, false}));
  EXPECT_FALSE(fits_grid(Concentrated{1}));
}

}  // namespace
}  // namespace tulle::account
