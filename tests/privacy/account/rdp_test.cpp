#include "privacy/account/log_uniform.hpp"
#include "sampled.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

namespace tulle {
namespace {

using testing::between;

constexpr Relation kCounted = Relation::add_remove;

TEST(Rdp, OfGaussianNoiseIsLinearInTheOrder) {
  for (const double order : {1.5, 2.0, 40.0})
    EXPECT_NEAR(rdp_upper(Event::gaussian(2).times(3), kCounted, order), 3 * order / 8, 1e-9);
}

// Mironov 2017, proposition 6.
TEST(Rdp, OfLaplaceNoiseIsTheClosedForm) {
  const double b = 1.5, order = 3;
  const double exact = std::log(order / (2 * order - 1) * std::exp((order - 1) / b) +
                                (order - 1) / (2 * order - 1) * std::exp(-order / b)) /
                       (order - 1);
  EXPECT_NEAR(rdp_upper(Event::laplace(b), kCounted, order), exact, 1e-9);
}

// Mironov, Talwar, Zhang 2019: for whole orders the moment is a binomial sum.
TEST(Rdp, OfSampledGaussianNoiseIsTheBinomialSum) {
  const double q = 0.1, s = 1.2;
  const int order = 5;
  double moment = 0;
  for (int k = 0; k <= order; ++k)
    moment += std::exp(std::lgamma(order + 1) - std::lgamma(k + 1) - std::lgamma(order - k + 1) +
                       k * std::log(q) + (order - k) * std::log1p(-q) + (k * k - k) / (2 * s * s));
  EXPECT_NEAR(rdp_upper(Event::gaussian(s).sampled(poisson(q)), kCounted, order),
              std::log(moment) / (order - 1), 1e-9);
}

// A batch of all units is no sampling; a smaller one costs less.
TEST(Rdp, OfFixedBatchesIsBelowThatWithoutSampling) {
  const auto at = [](std::uint64_t batch) {
    return rdp_upper(Event::gaussian(2).sampled(FixedBatch(batch, 1000)), Relation::replace, 4);
  };
  EXPECT_NEAR(at(1000), 4 / 8.0, 1e-9);
  EXPECT_LT(at(100), 0.1 * at(1000));
  EXPECT_LT(at(10), 0.05 * at(100));
}

// Pure noise has no divergence above epsilon, and approaches it with the order.
TEST(Rdp, OfPureNoiseApproachesEpsilon) {
  EXPECT_LE(rdp_upper(Event::pure(0.7), kCounted, 1e4), 0.7 * (1 + 1e-9));
  EXPECT_GT(rdp_upper(Event::pure(0.7), kCounted, 1e4), 0.699);
}

// Proposition 12 of Canonne, Kamath, Steinke (2020), in both directions.
TEST(Rdp, ConversionsAreEachOthersInverse) {
  for (const double order : {1.2, 4.0, 60.0}) {
    const double epsilon = rdp_to_epsilon(0.5, order, 1e-6);
    EXPECT_NEAR(rdp_to_delta(0.5, order, epsilon), 1e-6, 1e-15);
  }
}

TEST(Rdp, IsAtLeastTheExactEpsilon) {
  const std::vector<Event> events{Event::gaussian(3).times(10)};
  const double exact = epsilon_upper(events, kCounted, 1e-6).value;
  const double renyi = rdp_epsilon_upper(events, kCounted, 1e-6);
  EXPECT_GT(renyi, exact);
  EXPECT_LT(renyi, 1.1 * exact);
  EXPECT_GE(rdp_delta_upper(events, kCounted, exact), 1e-6);
  EXPECT_EQ(rdp_epsilon_upper({}, kCounted, 1e-6), 0);
}

TEST(Rdp, RefusesArgumentsOutsideTheirRange) {
  EXPECT_THROW(rdp_upper(Event::gaussian(1), kCounted, 1), UsageError);
  EXPECT_THROW(rdp_to_epsilon(1, 2, 0), UsageError);
  EXPECT_THROW(rdp_to_delta(1, 2, -1), UsageError);
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

}  // namespace
}  // namespace tulle
