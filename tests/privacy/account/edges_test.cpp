// Questions at the edges of what can be asked: losses of very different sizes, exponents that overflow,
// digits that cancel. Each has an answer, the least of the valid ones.
#include "../../../src/privacy/account/single.hpp"

#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

constexpr Relation kAddRemove = Relation::add_remove;

Event gaussian(double noise, double rate, std::uint64_t steps) {
  return Event::gaussian(noise).sampled(PoissonSampling::what_if(rate)).times(steps);
}

// Parts alone: 5.03 for the steps and 32.7 for the Gaussian, at half of delta each.
TEST(Edges, AMixIsNeverAboveTheSumOfItsParts) {
  const std::vector<Event> mix{gaussian(10, 0.1, 1000), Event::gaussian(0.2)};
  double parts = 0;
  for (const Event& part : mix) parts += epsilon_upper({&part, 1}, kAddRemove, 5e-7).value;
  EXPECT_NEAR(parts, 37.7, 0.2);
  const Bound all = epsilon_upper(mix, kAddRemove, 1e-6);
  EXPECT_LT(all.value, parts);
  EXPECT_LE(all.value, rdp_epsilon_upper(mix, kAddRemove, 1e-6));
  EXPECT_GT(all.value, epsilon_upper(std::span(mix).last(1), kAddRemove, 1e-6).value);
  // Too little noise for a grid.
  const std::vector<Event> small{gaussian(10, 0.1, 1000), Event::gaussian(0.002)};
  EXPECT_LT(epsilon_upper(small, kAddRemove, 1e-6).value, rdp_epsilon_upper(small, kAddRemove, 1e-6));
}

// The two steps on samples have a mu below 1e-6, and the Gaussian alone delta 3e-249 at epsilon 700.
TEST(Edges, ALargeEpsilonBesideNearlyNoLossEnds) {
  const std::vector<Event> mix{gaussian(1e6, 0.1, 2), Event::gaussian(0.06)};
  const double delta = delta_upper(mix, kAddRemove, 700).value;
  EXPECT_GE(delta, gaussian_delta_upper(1 / 0.06, 700));
  EXPECT_LE(delta, 1.001 * gaussian_delta_upper(1 / 0.06, 700));
}

// A unit that is in a sample at all is told apart for certain: delta is the chance of that, up to e^-100.
TEST(Edges, LittleNoiseOnSamplesHasTheDeltaOfTheSampling) {
  EXPECT_NEAR(delta_upper(std::vector{gaussian(0.05, 0.5, 2)}, kAddRemove, 0.5).value, 0.75, 1e-6);
  const Event response = Event::pure(50).sampled(PoissonSampling::what_if(0.001)).times(1'000'000);
  EXPECT_NEAR(delta_upper({&response, 1}, kAddRemove, 0.001).value, 1, 1e-12);
  // At epsilon 800 one of three looks is not enough, and two are: 3/4 - 1/4 of the removals.
  EXPECT_NEAR(delta_upper(std::vector{gaussian(0.03, 0.5, 3)}, kAddRemove, 800).value, 0.5, 1e-6);
}

TEST(Edges, AnEpsilonAbove709HasADelta) {
  const std::vector<Event> mix{Event::gaussian(0.1), Event::laplace(0.5)};
  const double at_700 = delta_upper(mix, kAddRemove, 700).value,
               at_720 = delta_upper(mix, kAddRemove, 720).value;
  EXPECT_LT(at_700, 1e-100);
  EXPECT_LE(at_720, at_700);
  EXPECT_EQ(delta_upper(std::vector{Event::pure(5), Event::laplace(0.5)}, kAddRemove, 800).value, 0);
  EXPECT_NEAR(delta_upper(std::vector{Event::gaussian(0.02), gaussian(5, 0.1, 10)}, kAddRemove, 1250).value,
              0.5, 0.02);
}

// mpmath, 60 digits.
TEST(Edges, DeltaOfAGaussianKeepsItsDigits) {
  struct Case {
    double mu, epsilon, exact, room;  // room for mu and epsilon that are no doubles
  };
  for (const Case& one : {Case{1e-6, 3e-6, 3.8215489027958773851e-10, 1e-13},
                          {1e-6, 2.2e-5, 6.518267206632418919e-115, 1e-12},
                          {1e-15, 2e-15, 8.4907026168296460407e-18, 1e-13},
                          {1e-15, 2.2e-14, 6.5181955060883828379e-124, 1e-12},
                          {1, 22, 3.4458873389404102861e-104, 0},
                          {0.3, 6, 8.1633314074697329328e-90, 1e-12},
                          {2, 60, 2.1178975657208594969e-186, 0},
                          {20, 150, 0.99279195656290283149, 0}}) {
    const double ours = gaussian_delta_upper(one.mu, one.epsilon);
    EXPECT_GE(ours, one.exact * (1 - one.room)) << one.mu << " " << one.epsilon;
    EXPECT_LE(ours, one.exact * (1 + 1e-11)) << one.mu << " " << one.epsilon;
  }
  EXPECT_GT(gaussian_delta_upper(1e-6, 1), 0);  // e^-5e11: no double holds it, and 0 would be a promise
  EXPECT_GT(delta_upper(std::vector{gaussian(1e6, 0.5, 3)}, kAddRemove, 1).value, 0);
}

// P(x > t) - e^epsilon Q(x > t) for the mixtures of normals themselves, at the t that maximises it.
TEST(Edges, DeltaOfOneSampledGaussianAgreesWithItsTails) {
  using namespace account;
  const auto tail = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
  for (double noise : {0.3, 1.0, 4.0})
    for (double rate : {0.01, 0.4, 0.9})
      for (double epsilon : {0.0, 0.05, 0.6, 2.0}) {
        const auto best = [&](double p_at, double q_at) {
          double most = 0;
          for (double t = -30 * noise; t < 2 + 30 * noise; t += 1e-3 * noise) {
            const double at_p = (1 - rate) * tail(t / noise) + rate * tail((t - p_at) / noise);
            const double at_q = (1 - rate) * tail(t / noise) + rate * tail((t - q_at) / noise);
            most = std::max(most, at_p - std::exp(epsilon) * at_q);
          }
          return most;
        };
        const double remove = best(1, 0), add = best(0, -1), replace = best(1, -1);
        const auto ours = [&](bool both, Direction direction) {
          return delta_of_one(GaussianPair{noise, rate, both}, direction, epsilon);
        };
        EXPECT_NEAR(ours(false, Direction::remove), remove, 1e-5 * remove + 1e-15);
        EXPECT_NEAR(ours(false, Direction::add), add, 1e-5 * add + 1e-15);
        EXPECT_NEAR(ours(true, Direction::remove), replace, 1e-5 * replace + 1e-15);
        EXPECT_GE(ours(true, Direction::remove), replace - 1e-15);
      }
}

// A replaced unit is removed and added. With epsilon 1 for a contribution, M1 and M2 are both within e of M0:
// unsampled that is a loss of 2; at rate 1/2 it is ln((1 + e) / (1 + 1/e)) = 1.
TEST(Edges, PureNoiseOnSamplesUnderReplaceCountsBothContributions) {
  for (const Event& event : {Event::pure(1), Event::laplace(1), Event::discrete_laplace(3, 3)}) {
    const auto epsilon = [&](double rate, Relation relation) {
      const Event sampled = event.sampled(PoissonSampling::what_if(rate));
      return epsilon_upper({&sampled, 1}, relation, 0).value;
    };
    EXPECT_NEAR(epsilon(1, Relation::replace), 2, 1e-12) << describe(event);
    EXPECT_NEAR(epsilon(0.5, Relation::replace), 1, 1e-12) << describe(event);
    EXPECT_NEAR(epsilon(0.5, Relation::add_remove), std::log(0.5 + 0.5 * std::numbers::e), 1e-12);
    EXPECT_LT(epsilon(0.999999, Relation::replace), 2);
  }
  // With a delta of its own: a mechanism that shows either of two inputs with probability 0.1, and else
  // nothing.
  const Event shows = Event::approximate(0, 0.1).sampled(PoissonSampling::what_if(0.5));
  EXPECT_NEAR(delta_upper({&shows, 1}, Relation::replace, 0).value, 0.1, 1e-12);
}

// Continuous in the rate: at rate 1 the sampled release is the unsampled one of twice the sensitivity.
TEST(Edges, ReplacementIsContinuousInTheRate) {
  const double whole = epsilon_upper(std::vector{Event::gaussian(2)}, Relation::replace, 1e-6).value;
  for (double rate : {1.0, 0.999999})
    EXPECT_NEAR(epsilon_upper(std::vector{gaussian(4, rate, 1)}, Relation::replace, 1e-6).value, whole, 1e-5);
}

// Extrapolated from grids of intervals 4e-5 and 2e-5, whose error falls with the square of the interval.
TEST(Edges, SampledGaussiansAreWithinAMillionthOfExact) {
  struct Case {
    std::uint64_t steps;
    double delta, exact;
  };
  for (const Case& one : {Case{2, 1e-5, 0.245465976},
                          {10, 1e-9, 1.446867772},
                          {100, 1e-5, 0.718035662},
                          {100, 1e-9, 1.844330356},
                          {1000, 1e-5, 1.828236673},
                          {10000, 1e-9, 8.765438596}}) {
    const double ours = epsilon_upper(std::vector{gaussian(1, 0.01, one.steps)}, kAddRemove, one.delta).value;
    EXPECT_GE(ours, one.exact * (1 - 1e-8)) << one.steps;
    EXPECT_LE(ours, one.exact * (1 + 1e-6)) << one.steps;
  }
}

// Far more than the noise of any budget needs: calibration searches from there.
TEST(Edges, CalibrationToHugeEpsilonsEnds) {
  const auto events = [](double noise) {
    return std::vector{Event::pure(1 / noise), Event::gaussian(noise).times(3)};
  };
  const double noise = noise_for({1000, 1e-6}, Relation::replace, events);
  EXPECT_LE(delta_upper(events(noise), Relation::replace, 1000).value, 1e-6 * (1 + 1e-9));
  EXPECT_GT(epsilon_upper(events(noise * 0.9), Relation::replace, 1e-6).value, 1000);
}

}  // namespace
}  // namespace tulle
