#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/composition.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <type_traits>

namespace tulle {
namespace {

PoissonSampling poisson(double rate) {
  return PoissonSampling::what_if(rate);
}

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

// ---- The front.

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

TEST(Accountant, RefusesWhatMakesNoSense) {
  EXPECT_NE(refusal([] { Event::gaussian(0); }), "");
  EXPECT_NE(refusal([] { Event::gaussian(NAN); }), "");
  EXPECT_NE(refusal([] { Event::pure(-1); }), "");
  EXPECT_NE(refusal([] { Event::approximate(1, 1); }), "");
  EXPECT_NE(refusal([] { poisson(0); }), "");
  EXPECT_NE(refusal([] { poisson(1.5); }), "");
  EXPECT_NE(refusal([] { FixedBatch(5, 4); }), "");
  EXPECT_NE(refusal([] { Event::gaussian(1).times(0); }), "");
  EXPECT_NE(refusal([] { Event::gaussian(1).sampled(poisson(0.1)).sampled(poisson(0.1)); }), "");
  EXPECT_NE(refusal([] { epsilon_of(Event::gaussian(1), 1); }), "");
  EXPECT_NE(refusal([] {
              Accountant(Relation::replace).add(Event::discrete_gaussian(1, 1, 9).sampled(poisson(0.1)));
            }).find("finer grid"),
            std::string::npos);
}

TEST(Accountant, DescribesReleases) {
  EXPECT_EQ(describe(Event::gaussian(1.1).sampled(poisson(0.25)).times(7)),
            "Gaussian, noise multiplier 1.1, Poisson sampling at rate 0.25, 7 times");
}

TEST(PoissonSampler, TossesOneCoinAUnit) {
  const PoissonSampler sampler(0.3);
  EXPECT_EQ(sampler.sampling().rate(), 0.3);
  Random random(11);
  std::uint64_t taken = 0;
  sampler.draw(
      100000, [&] { return random.bits(); }, [&](std::uint64_t) { ++taken; });
  EXPECT_NEAR(static_cast<double>(taken), 30000, 5 * std::sqrt(100000 * 0.3 * 0.7));  // false alarms: 6e-7
  taken = 0;
  PoissonSampler(1).draw(
      10, [] { return ~std::uint64_t{0}; }, [&](std::uint64_t) { ++taken; });
  EXPECT_EQ(taken, 10u);
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

TEST(Composition, ExactInversesAndKnownValues) {
  EXPECT_NEAR(zcdp_rho_simple(2, 1e-4), 0.098176, 5e-7);
  EXPECT_NEAR(zcdp_epsilon_simple(zcdp_rho_simple(0.7, 1e-6), 1e-6), 0.7, 1e-14);
  EXPECT_NEAR(advanced_epsilon_upper(0.1, 10, 1e-5), 1.622598047460794, 1e-12);
  EXPECT_NEAR(zcdp_of_gaussian(2), 0.125, 1e-16);
  EXPECT_NEAR(optimal_delta_upper(0.1, 100, optimal_epsilon_upper(0.1, 100, 1e-5)), 1e-5, 1e-14);
}

// Losses far apart: p (1 - e^(total - loss)) for one release, inverted.
TEST(Composition, OptimalIsExactForLargeEpsilons) {
  EXPECT_NEAR(optimal_epsilon_upper(30, 1, 0.5), 30 + std::log(0.5), 1e-12);
  EXPECT_NEAR(optimal_delta_upper(25, 2, 40), -std::expm1(-10.0), 1e-9);
  EXPECT_NEAR(pure_epsilon_for({50, 0.5}, 1), 50 + std::log(2.0), 1e-9);
  EXPECT_LE(optimal_delta_upper(800, 2, 900), 1);
}

// ---- Monotone in every argument, over the whole range; never NaN, never below a part of itself.

double between(double low, double high) {
  const double share = *rc::gen::resize(100, rc::gen::inRange(0, 1 << 20)) / static_cast<double>(1 << 20);
  return std::exp(std::log(low) + share * (std::log(high) - std::log(low)));
}

RC_GTEST_PROP(Gdp, IsMonotoneAndItsOwnInverse, ()) {
  const double mu = between(1e-6, 60), delta = between(1e-15, 0.5), more = between(1.0001, 10);
  const double epsilon = gaussian_epsilon_upper(mu, delta);
  RC_ASSERT(epsilon >= 0);
  RC_ASSERT(gaussian_epsilon_upper(mu * more, delta) >= epsilon);
  RC_ASSERT(gaussian_epsilon_upper(mu, std::min(0.9, delta * more)) <= epsilon);
  RC_ASSERT(gaussian_delta_upper(mu, epsilon) <= delta);
  const double budget = between(1e-6, 50), largest = gaussian_mu_lower(budget, delta);
  RC_ASSERT(gaussian_epsilon_upper(largest, delta) <= budget * (1 + 1e-9));
  RC_ASSERT(gaussian_epsilon_upper(largest * (1 + 1e-6), delta) >= budget * (1 - 1e-9));
}

RC_GTEST_PROP(Rdp, IsMonotoneInOrderNoiseAndRate, ()) {
  const double rate = between(1e-9, 1), noise = between(0.3, 1e6), order = 1 + between(1e-3, 60),
               more = between(1.001, 5);
  const auto at = [](double q, double s, double a) {
    return rdp_upper(Event::gaussian(s).sampled(poisson(std::min(1.0, q))), Relation::add_remove, a);
  };
  const double here = at(rate, noise, order);
  RC_ASSERT(here >= 0);
  RC_ASSERT(at(rate, noise, order * more) >= here * (1 - 1e-9));
  RC_ASSERT(at(rate, noise * more, order) <= here * (1 + 1e-9));
  RC_ASSERT(at(rate * more, noise, order) >= here * (1 - 1e-9));
}

RC_GTEST_PROP(Optimal, LiesBetweenNothingAndBasicComposition, ()) {
  const double epsilon = between(1e-6, 20), delta = between(1e-15, 0.5);
  const auto count = static_cast<std::uint64_t>(between(1, 1e6));
  const double together = optimal_epsilon_upper(epsilon, count, delta);
  RC_ASSERT(together >= 0);
  RC_ASSERT(together <= epsilon * static_cast<double>(count) * (1 + 1e-12));
  RC_ASSERT(optimal_delta_upper(epsilon, count, together) <= delta * (1 + 1e-6));
}

// ---- Calibration.

TEST(Calibrate, MeetsTheTargetAndHardlyMore) {
  const Target target{1, 1e-5};
  const Relation relation = Relation::add_remove;
  const double noise = gaussian_noise_for(target, relation, poisson(0.01), 1000);
  const auto cost = [&](double s, double q, std::uint64_t t) {
    const Event event = Event::gaussian(s).sampled(poisson(q)).times(t);
    return delta_upper({&event, 1}, relation, 1).value;
  };
  EXPECT_LE(cost(noise, 0.01, 1000), 1e-5);
  EXPECT_GT(cost(noise * (1 - 1e-5), 0.01, 1000), 1e-5);
  const double rate = rate_for(target, relation, Event::gaussian(1.5), 1000);
  EXPECT_LE(cost(1.5, rate, 1000), 1e-5);
  EXPECT_GT(cost(1.5, rate * (1 + 1e-5), 1000), 1e-5);
  const std::uint64_t steps = steps_for(target, relation, Event::gaussian(1.5).sampled(poisson(0.01)));
  EXPECT_LE(cost(1.5, 0.01, steps), 1e-5);
  EXPECT_GT(cost(1.5, 0.01, steps + 1), 1e-5);
}

TEST(Calibrate, KnownCases) {
  EXPECT_NEAR(gaussian_noise_for({1, 1e-5}, 4), 2 * 3.730631634815942, 1e-9);
  EXPECT_NEAR(laplace_noise_for({1, 0}, Relation::replace, 100), 100, 2e-4);
  EXPECT_LT(laplace_noise_for({1, 1e-6}, Relation::replace, 100), 50);
  EXPECT_EQ(steps_for({1, 0}, Relation::replace, Event::pure(0.3)), 3u);
  EXPECT_EQ(steps_for({1, 1e-6}, Relation::replace, Event::gaussian(0.1)), 0u);
  EXPECT_EQ(rate_for({5, 1e-5}, Relation::add_remove, Event::gaussian(10), 1), 1);
  const double each = pure_epsilon_for({1, 1e-6}, 50);
  EXPECT_LE(optimal_epsilon_upper(each, 50, 1e-6), 1 + 1e-12);
  EXPECT_GT(each, 1.0 / 50);
  EXPECT_THROW(noise_for({1, 0}, Relation::replace, [](double noise) { return Event::gaussian(noise); }),
               Error);
}

}  // namespace
}  // namespace tulle
