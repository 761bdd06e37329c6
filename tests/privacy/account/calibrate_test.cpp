#include "sampled.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

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
  EXPECT_EQ(steps_for({1, 0}, Relation::replace, Event::pure(0.3)), 3u);
  EXPECT_EQ(steps_for({1, 1e-6}, Relation::replace, Event::gaussian(0.1)), 0u);
  EXPECT_EQ(rate_for({5, 1e-5}, Relation::add_remove, Event::gaussian(10), 1), 1);
  EXPECT_THROW(noise_for({1, 0}, Relation::replace, [](double noise) { return Event::gaussian(noise); }),
               Error);
}

TEST(Calibrate, NoiseForSeveralReleasesTogether) {
  const Target target{2, 1e-6};
  const auto events = [](double noise) {
    return std::vector{Event::gaussian(noise).times(2), Event::laplace(3 * noise)};
  };
  const double noise = noise_for(target, Relation::replace, events);
  EXPECT_LE(delta_upper(events(noise), Relation::replace, 2).value, 1e-6);
  EXPECT_GT(delta_upper(events(noise * (1 - 1e-5)), Relation::replace, 2).value, 1e-6);
}

TEST(Calibrate, RefusesWhatNoParameterMeets) {
  EXPECT_THROW(rate_for({0.1, 1e-9}, Relation::add_remove, Event::approximate(1, 0.9), 1'000'000'000), Error);
  EXPECT_THROW(gaussian_noise_for({1, 1e-5}, 0), UsageError);
}

}  // namespace
}  // namespace tulle
