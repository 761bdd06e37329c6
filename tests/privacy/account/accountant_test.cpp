#include "sampled.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

namespace tulle {
namespace {

Bound epsilon_of(const Event& event, double delta, Relation relation = Relation::add_remove) {
  return epsilon_upper({&event, 1}, relation, delta);
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Accountant, PicksTheTightestWayAndSaysWhich) {
  EXPECT_EQ(epsilon_of(Event::gaussian(2).times(3), 1e-5).how, Accounting::gdp);
  EXPECT_EQ(epsilon_of(Event::gaussian(2).sampled(poisson(1)), 1e-5).how, Accounting::gdp);
  EXPECT_EQ(epsilon_of(Event::pure(0.1).times(100), 1e-5).how, Accounting::optimal);
  EXPECT_EQ(epsilon_of(Event::pure(0.1).times(100), 0).how, Accounting::pure);
  EXPECT_EQ(epsilon_of(Event::gaussian(2).sampled(poisson(0.1)).times(9), 1e-5).how, Accounting::pld);
  EXPECT_EQ(
      epsilon_of(Event::gaussian(2).sampled(FixedBatch(10, 1000)).times(9), 1e-5, Relation::replace).how,
      Accounting::rdp);
  EXPECT_EQ(name(Accounting::pld), "pld");
}

TEST(Accountant, JoinsTheSameReleases) {
  Accountant accountant(Relation::add_remove);
  EXPECT_EQ(accountant.epsilon(1e-5), 0);
  for (int i = 0; i < 5; ++i) accountant.add(Event::gaussian(4));
  accountant.add(Event::gaussian(2).times(2));
  ASSERT_EQ(accountant.events().size(), 2u);
  EXPECT_EQ(accountant.events()[0].count(), 5u);
  EXPECT_NEAR(accountant.epsilon(1e-5), gaussian_epsilon_upper(std::sqrt(5 / 16.0 + 2 / 4.0), 1e-5), 1e-12);
}

TEST(Accountant, PureReleasesAddUpWithoutDelta) {
  Accountant accountant(Relation::replace);
  accountant.add(Event::pure(0.5).times(2));
  accountant.add(Event::laplace(4));
  EXPECT_DOUBLE_EQ(accountant.epsilon(0), 1.25);
  EXPECT_EQ(accountant.delta(1.25), 0);
  accountant.add(Event::gaussian(1));
  EXPECT_EQ(accountant.epsilon(0), INFINITY);
}

TEST(Accountant, NoEpsilonBringsDeltaBelowThatOfTheReleases) {
  EXPECT_EQ(epsilon_of(Event::approximate(0.1, 1e-4), 1e-5).value, INFINITY);
  EXPECT_NEAR(epsilon_of(Event::approximate(0.1, 1e-6).times(3), 1e-5).value, 0.3, 1e-4);
}

// Whatever the noise: who is never looked at loses nothing.
TEST(Accountant, SamplingAloneProtectsWithADelta) {
  const Event event = Event::gaussian(1e-3).sampled(poisson(1e-9)).times(1000);
  EXPECT_EQ(epsilon_of(event, 1.1e-6).value, 0);
  EXPECT_GT(epsilon_of(event, 0.9e-6).value, 0);
  const double delta = delta_upper({&event, 1}, Relation::add_remove, 1).value;
  EXPECT_LE(delta, 1e-6 * (1 + 1e-12));
  EXPECT_GT(delta, 0.99e-6);
  EXPECT_EQ(delta_upper(std::vector{event, Event::gaussian(1e-3)}, Relation::add_remove, 1).value, 1);
}

// ---- Misuse.

static_assert(!std::is_constructible_v<PoissonSampling, double>);
static_assert(!std::is_convertible_v<FixedBatch, PoissonSampling>);

TEST(Accountant, RefusesFixedBatchesWhereTheySayWhoIsThere) {
  const Event event = Event::gaussian(1).sampled(FixedBatch(100, 10000));
  EXPECT_NE(refusal([&] { Accountant(Relation::add_remove).add(event); }).find("PoissonSampler"),
            std::string::npos);
  EXPECT_NE(refusal([&] { Accountant(Relation::zero_out).add(event); }).find("zero-out"), std::string::npos);
  Accountant(Relation::replace).add(event);
}

TEST(Accountant, RefusesWhatHasNoAnalysis) {
  EXPECT_NE(refusal([] { epsilon_of(Event::gaussian(1), 1); }), "");
  EXPECT_NE(refusal([] {
              Accountant(Relation::replace).add(Event::discrete_gaussian(1, 1, 9).sampled(poisson(0.1)));
            }).find("finer grid"),
            std::string::npos);
}

// ---- What the relations and the grids of noise mean.

TEST(Accountant, ReplacementOfAContributionIsWorseThanItsRemoval) {
  const Event event = Event::gaussian(1).sampled(poisson(0.1)).times(20);
  EXPECT_GT(epsilon_of(event, 1e-5, Relation::replace).value, 1.2 * epsilon_of(event, 1e-5).value);
  EXPECT_EQ(epsilon_of(event, 1e-5, Relation::zero_out).value, epsilon_of(event, 1e-5).value);
  // Sampled for certain, the contribution moves by twice its norm.
  EXPECT_NEAR(epsilon_of(Event::gaussian(2).sampled(poisson(1)), 1e-5, Relation::replace).value,
              gaussian_epsilon_upper(1, 1e-5), 1e-12);
}

TEST(Accountant, FineIntegerNoiseCostsWhatContinuousNoiseDoes) {
  const double smooth = epsilon_of(Event::gaussian(2), 1e-6).value;
  const double fine = epsilon_of(Event::discrete_gaussian(2e9, 1e9, 1000), 1e-6).value;
  EXPECT_GE(fine, smooth);
  EXPECT_LE(fine, smooth * (1 + 1e-6));
  // On a coarse grid in many coordinates the Renyi bound is what is left.
  EXPECT_EQ(epsilon_of(Event::discrete_gaussian(20, 10, 1000), 1e-6).how, Accounting::rdp);
}

}  // namespace
}  // namespace tulle
