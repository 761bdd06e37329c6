#include "sampled.hpp"

// What sampling costs: the delta that a bound holds at, groups of units, and pure noise under replacement.
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/curator.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Whoever is not in the sample loses nothing, so it is (0, 1e-6)-private; it is not (0, 0)-private.
TEST(SampledUnits, AnEpsilonOfZeroCarriesTheDeltaItHoldsAt) {
  const std::vector<Event> events{Event::gaussian(0.5).sampled(poisson(1e-6))};
  const Bound bound = epsilon_upper(events, Relation::add_remove, 1e-5);
  EXPECT_EQ(bound.value, 0);
  EXPECT_EQ(bound.how, Accounting::unseen);
  EXPECT_GE(bound.delta, 1e-6);
  EXPECT_LE(bound.delta, 1.001e-6);
  EXPECT_EQ(epsilon_upper(std::vector{Event::pure(0.5)}, Relation::replace, 0).delta, 0);
  EXPECT_EQ(epsilon_upper(std::vector{Event::gaussian(5)}, Relation::replace, 1e-5).delta, 1e-5);
  EXPECT_EQ(epsilon_upper(std::vector{Event::approximate(0.5, 1e-7)}, Relation::replace, 1e-5).how,
            Accounting::optimal);
}

TEST(SampledUnits, AGuaranteeOfEpsilonZeroNamesItsDelta) {
  Curator curator = Curator::with_budget({1, 1e-5}, Unit::user, Relation::add_remove, RandomBits::seeded(1));
  curator.plan({Event::gaussian(0.5).sampled(poisson(1e-6))});
  const Guarantee guarantee = curator.guarantee();
  EXPECT_EQ(guarantee.used.epsilon, 0);
  EXPECT_GE(guarantee.used.delta, 1e-6);
  // Rounded up: the chance of ever being sampled carries a little for rounding.
  EXPECT_NE(sentence(guarantee).find("delta 1.00001e-06"), std::string::npos) << sentence(guarantee);
}

// Ten units of contribution 0.1 each, at rate 0.01: the number of them in the batch is binomial, and each
// moves the answer. Delta at epsilon 0 is the total variation of the mixture of normals, here by the
// trapezium rule.
TEST(SampledUnits, AGroupHasAsManyCoinsAsUnits) {
  constexpr int k = 10;
  constexpr double rate = 0.01, noise = 0.1;  // standard deviation over the group's contribution of 1
  const auto mixture = [&](double x) {
    double density = 0, choose = 1;
    for (int j = 0; j <= k; ++j) {
      const double z = (x - j / double(k)) / noise;
      density += choose * std::pow(rate, j) * std::pow(1 - rate, k - j) * std::exp(-z * z / 2);
      choose *= double(k - j) / (j + 1);
    }
    return density;
  };
  double exact = 0;
  for (double x = -2; x < 3; x += 1e-4)
    exact += 1e-4 * std::max(0.0, mixture(x) - std::exp(-x * x / (2 * noise * noise)));
  exact /= noise * std::sqrt(2 * std::numbers::pi);
  ASSERT_NEAR(exact, 0.0377, 1e-4);

  const Sensitivity group = Sensitivity::l2(0.1, Unit::user, Relation::add_remove).for_group(k);
  EXPECT_EQ(group.group(), 10u);
  EXPECT_EQ(group.in(Norm::l2).group(), 10u);
  Curator curator = Curator::with_budget({500, 0.2}, Unit::user, Relation::add_remove, RandomBits::seeded(1));
  curator.release(Protected<int>(0), curator.sample(PoissonSampler(rate), 100),
                  AdditiveNoise::gaussian(group, noise, 1), "a sum",
                  [](int, const auto&) { return std::vector<double>{0}; });
  const Event made = curator.guarantee().releases.at(0).event;
  EXPECT_GE(delta_upper({&made, 1}, Relation::add_remove, 0).value, exact);
}

}  // namespace
}  // namespace tulle
