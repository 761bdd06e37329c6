#include "estimate/user/user_moments.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tulle {
namespace {

constexpr UserPilot kPilot{.users = 1000, .level = 0.1, .uncertainty = 1e-3, .filled = 1, .spread = 0.3};

std::vector<double> with_noise(std::vector<double> sums, double deviation, std::uint64_t seed) {
  Random random(seed);
  for (double& sum : sums) sum += deviation * random.normal();
  return sums;
}

// What 1,000 users with all positions add for pairs, each scaled by 1/2.
std::vector<double> pair_sums(const Matrix& covariance) {
  const auto positions = static_cast<std::size_t>(covariance.rows());
  std::vector<double> products, both;
  for (std::size_t i = 0; i < positions; ++i)
    for (std::size_t j = i; j < positions; ++j) {
      const double times = i == j ? 500 : 500 * kPairTwice;
      products.push_back(times * covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
      both.push_back(times * pair_unit(kPilot));
    }
  products.insert(products.end(), both.begin(), both.end());
  return products;
}

// Levels of variance 0.04, one direction, and 0.05 of its own at every position.
Matrix one_direction(Eigen::Index positions, double length) {
  Vector direction(positions);
  for (Eigen::Index i = 0; i < positions; ++i) direction[i] = length * (i % 2 == 0 ? 1 : -1);
  return Matrix::Constant(positions, positions, 0.04) + Matrix(direction * direction.transpose()) +
         Matrix(Vector::Constant(positions, 0.05).asDiagonal());
}

Matrix product(const UserCovariance& covariance) {
  return covariance.factors * covariance.factors.transpose() + Matrix(covariance.own.asDiagonal());
}

TEST(UserPilot, WithoutNoiseSaysWhatUsersAreLike) {
  const double scale = 1 / std::sqrt(5.0);
  const std::vector<double> sums{100 * scale, 20 * scale, 50 * scale, 80 * scale, 16 * scale, 99};
  const UserPilot pilot = user_pilot(sums, 1e-9, 10);
  EXPECT_NEAR(pilot.users, 100, 1e-6);
  EXPECT_NEAR(pilot.level, 0.2, 1e-6);
  EXPECT_NEAR(pilot.filled, 0.5, 1e-6);
  EXPECT_NEAR(pilot.spread, 0.2, 1e-6);
}

TEST(UserPilot, OfNoiseAloneIsThePrior) {
  const UserPilot pilot = user_pilot(std::vector<double>{-3, 40, -60, 2, 90, 5}, 1000, 10);
  EXPECT_EQ(pilot.users, 1);
  EXPECT_NEAR(pilot.level, 0, 0.01);
  EXPECT_NEAR(pilot.uncertainty, 1. / 3, 0.01);
  EXPECT_NEAR(pilot.spread, 0.3, 0.01);
}

TEST(PositionMeans, AreSumsDividedByCounts) {
  std::vector<double> sums;
  for (int i = 0; i < 10; ++i) {
    sums.push_back(400 * 0.05 * i);
    sums.push_back(400 * kPilot.spread);
  }
  const PositionMeans means = position_means(kPilot, sums, 1e-6);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(means.values[i], 0.05 * i, 0.01);
}

// Divided by counts, which are no less than their noise, these sums would reach 300 / 1000 times 2.2.
TEST(PositionMeans, OfNoiseAloneAreThePilotsLevel) {
  const PositionMeans means = position_means(kPilot, with_noise(std::vector<double>(40), 300, 1), 300);
  EXPECT_LT(means.values.cwiseAbs().maxCoeff(), 0.66 / 3);
}

TEST(UserCovariance, WithLittleNoiseIsThatOfTheUsers) {
  const Matrix truth = one_direction(12, 0.15);
  const UserCovariance found =
      user_covariance(kPilot, {Vector::Zero(12), 0}, pair_sums(truth), 5, std::nullopt);
  EXPECT_EQ(found.factors.cols(), 2);
  EXPECT_LT((product(found) - truth).norm(), 0.06 * truth.norm());
}

TEST(UserCovariance, FindsNoDirectionInNoise) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const UserCovariance found =
        user_covariance(kPilot, {Vector::Zero(30), 0}, with_noise(pair_sums(one_direction(30, 0)), 20, seed),
                        20, std::nullopt);
    EXPECT_LE(found.factors.cols(), 2);
    EXPECT_GT(found.own.minCoeff(), 0);
  }
}

// Users of a level and their own noise alone, without noise of a release: the fewer there are, the more their
// sums differ by chance.
TEST(UserCovariance, FindsNoDirectionInASampleOfFewUsers) {
  const Eigen::Index positions = 30;
  UserPilot few = kPilot;
  few.users = 60;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Matrix covariance = Matrix::Zero(positions, positions);
    for (int user = 0; user < 60; ++user) {
      Vector rest = Vector::Constant(positions, 0.2 * random.normal());
      for (double& each : rest) each += 0.22 * random.normal();
      covariance += rest * rest.transpose() / 60;
    }
    const UserCovariance found =
        user_covariance(few, {Vector::Zero(positions), 0}, pair_sums(covariance), 1e-9, std::nullopt);
    EXPECT_LE(found.factors.cols(), 2);
  }
}

TEST(PairSums, PayWhereADirectionStandsOut) {
  UserPilot pilot = kPilot;
  EXPECT_TRUE(pairs_pay(pilot, 10, 1));
  EXPECT_FALSE(pairs_pay(pilot, 10, 300));
  pilot.users = 30;
  EXPECT_FALSE(pairs_pay(pilot, 100, 4));
  pilot.users = 30'000;
  EXPECT_TRUE(pairs_pay(pilot, 100, 4));
}

TEST(UserCovariance, WithoutPairsIsThatOfLevels) {
  const UserCovariance expected = expected_covariance(kPilot, {Vector::Zero(5), 0.01});
  EXPECT_EQ(expected.factors.cols(), 1);
  EXPECT_NEAR(expected.factors(3, 0) * expected.factors(3, 0), 0.4 * 0.09 + 0.01, 1e-12);
  EXPECT_NEAR(expected.own[3], 0.09, 1e-12);
}

TEST(UserCovariance, KeepsTheDirectionsThatAreAskedFor) {
  const Matrix truth = one_direction(12, 0.15);
  for (const int most : {0, 1, 5})
    EXPECT_EQ(user_covariance(kPilot, {Vector::Zero(12), 0}, pair_sums(truth), 5, most).factors.cols(),
              1 + std::min(most, 1));
}

// With one position nothing is known of how users differ; the prior says it.
TEST(UserCovariance, OfOnePositionIsThatOfThePrior) {
  const UserCovariance found = user_covariance(kPilot, {Vector::Zero(1), 0},
                                               pair_sums(Matrix::Constant(1, 1, 0.1)), 1e-9, std::nullopt);
  EXPECT_NEAR(found.factors(0, 0) * found.factors(0, 0), 0.4 * 0.09, 1e-6);
}

}  // namespace
}  // namespace tulle
