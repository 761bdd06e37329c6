#include <tulle/base/error.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/posterior.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

double normal(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

TEST(Posterior, OfPureReleasesIsTheTextbookOne) {
  const std::vector<Event> events = {Event::pure(0.75).times(2)};
  EXPECT_NEAR(loss_upper(events, Relation::replace, 0), 1.5, 1e-12);
  EXPECT_NEAR(posterior_upper(0.5, 1.5), std::exp(1.5) / (1 + std::exp(1.5)), 1e-15);
  EXPECT_NEAR(posterior_upper(0.1, std::log(9.0)), 0.5, 1e-15);  // odds 1:9 grow ninefold
}

// Two data sets an attacker tells apart by chance with delta, and else by randomised response.
TEST(Posterior, OfAnApproximateReleaseCountsItsDelta) {
  const double epsilon = 1, delta = 0.1;
  const std::vector<Event> events = {Event::approximate(epsilon, delta)};
  EXPECT_TRUE(std::isinf(loss_upper(events, Relation::replace, 0)));
  // (exp(epsilon) + delta) / (1 + exp(epsilon)): half of the exact total variation above one half.
  EXPECT_NEAR(right_guess_upper(events, Relation::replace),
              (std::exp(epsilon) + delta) / (1 + std::exp(epsilon)), 1e-9);
}

// The loss of a Gaussian release is normal with mean mu^2 / 2 and variance mu^2, so all of it is known: the
// bound holds, and it is not far off.
TEST(Posterior, OfGaussianReleasesBoundsTheExactLossClosely) {
  for (double sigma : {0.5, 1.0, 4.0}) {
    const double mu = 1 / sigma;
    const std::vector<Event> events = {Event::gaussian(sigma)};
    for (const auto& [exception, quantile] : {std::pair(1e-3, 3.0902), std::pair(1e-6, 4.7534)}) {
      const double exact = mu * mu / 2 + mu * quantile;
      const double bound = loss_upper(events, Relation::add_remove, exception);
      EXPECT_LE(normal(-(bound - mu * mu / 2) / mu), exception) << sigma;
      // Nor is it the epsilon at this delta, which an attacker exceeds more often than that.
      const double epsilon = gaussian_epsilon_upper(mu, exception);
      EXPECT_GT(normal(-(epsilon - mu * mu / 2) / mu), exception) << sigma;
      EXPECT_LT(bound, 1.1 * exact + 0.01) << sigma;
    }
    EXPECT_NEAR(right_guess_upper(events, Relation::add_remove), normal(mu / 2), 1e-9);
  }
}

TEST(Posterior, BoundOfAttacksIsAboveTheBestAttackOnGaussians) {
  const std::vector<Event> events = {Event::gaussian(1)};
  double furthest = 0;
  for (const auto& [alarms, detections] : attack_bound(events, Relation::replace, 21)) {
    if (alarms == 0 || alarms == 1) continue;
    double low = -10, high = 10;  // the threshold with this false alarm rate
    for (int i = 0; i < 200; ++i) {
      const double middle = (low + high) / 2;
      (normal(-middle) > alarms ? low : high) = middle;
    }
    const double exact = normal(1 - low);
    EXPECT_GE(detections, exact - 1e-12) << alarms;
    furthest = std::max(furthest, detections - exact);
  }
  EXPECT_LT(furthest, 0.02);
}

// An attacker who is undecided about the answer to either question, and the releases of a run.
struct Undecided {
  double neighbours, contents;
};

Undecided undecided(const std::vector<Event>& events, Relation relation, double exception) {
  const Comparison contents = between_contents(events, relation);
  return {posterior_upper(0.5, loss_upper(events, relation, exception)),
          posterior_upper(0.5, loss_upper(contents.events, contents.relation, exception))};
}

TEST(Contents, OfAUnitThatMayBeAbsentAreTwoStepsApartAndOneUnderReplace) {
  const std::vector<Event> events = {Event::pure(0.5).times(2)};
  const double one = std::exp(1) / (1 + std::exp(1)), two = std::exp(2) / (1 + std::exp(2));
  for (Relation relation : {Relation::add_remove, Relation::zero_out}) {
    EXPECT_NEAR(undecided(events, relation, 0).neighbours, one, 1e-14);
    EXPECT_NEAR(undecided(events, relation, 0).contents, two, 1e-14);
  }
  EXPECT_NEAR(undecided(events, Relation::replace, 0).contents, one, 1e-14);
}

TEST(Contents, OfGaussianReleasesHaveTwiceTheMu) {
  for (double mu : {0.1, 0.388, 2.0}) {
    const std::vector<Event> events = {Event::gaussian(2 / mu).times(4)};
    const Comparison contents = between_contents(events, Relation::add_remove);
    EXPECT_NEAR(right_guess_upper(events, Relation::add_remove), normal(mu / 2), 1e-9);
    EXPECT_NEAR(right_guess_upper(contents.events, contents.relation), normal(mu), 1e-9);
    EXPECT_GE(right_guess_upper(contents.events, contents.relation), normal(mu));
  }
}

// Of one number: the Laplace distributions at -1 and 1, of scale b, have total variation 1 - exp(-1 / b).
TEST(Contents, OfALaplaceReleaseAreTwoSensitivitiesApart) {
  for (double scale : {0.5, 2.0}) {
    for (const Event& event :
         {Event::laplace(scale), Event::discrete_laplace(1024 * scale, 1024)}) {  // on a fine grid: alike
      const Comparison contents = between_contents(std::vector{event}, Relation::zero_out);
      const double right = right_guess_upper(contents.events, contents.relation);
      EXPECT_GE(right, 1 - std::exp(-1 / scale) / 2 - 1e-6) << scale;
      EXPECT_LT(right, 1 - std::exp(-1 / scale) / 2 + 1e-3) << scale;
    }
  }
}

// The standard normal density at -1 and at 1, each mixed with that at 0 by the same coin: their total
// variation is that of the parts that differ.
TEST(Contents, OfASampledReleaseAreMixturesByOneCoin) {
  const double rate = 0.3, sigma = 0.8;
  const std::vector<Event> events = {Event::gaussian(sigma).sampled(PoissonSampling::what_if(rate))};
  const Comparison contents = between_contents(events, Relation::add_remove);
  const double right = 0.5 + rate * (normal(1 / sigma) - 0.5);
  EXPECT_GE(right_guess_upper(contents.events, contents.relation), right - 1e-12);
  EXPECT_NEAR(right_guess_upper(contents.events, contents.relation), right, 1e-4);
}

// The hardest (e, d)-private pair of steps: with probability d the first step shows, then randomised
// response.
TEST(Contents, OfAnApproximateReleaseCountTheDeltaOfBothSteps) {
  const Comparison contents =
      between_contents(std::vector{Event::approximate(1, 1e-3)}, Relation::add_remove);
  ASSERT_EQ(contents.events.size(), 1u);
  const auto both = std::get<Approximate>(contents.events[0].mechanism());
  EXPECT_EQ(both.epsilon, 2);
  EXPECT_GE(both.delta, (1 + std::exp(1)) * 1e-3);
  EXPECT_NEAR(both.delta, (1 + std::exp(1)) * 1e-3, 1e-12);
  const Comparison unbounded =
      between_contents(std::vector{Event::approximate(10, 1e-3)}, Relation::add_remove);
  EXPECT_EQ(right_guess_upper(unbounded.events, unbounded.relation), 1);
  EXPECT_TRUE(std::isinf(loss_upper(unbounded.events, unbounded.relation, 1e-3)));
}

// For every noise, sampled or not.
TEST(Contents, AreNeverHarderToTellApartThanNeighbours) {
  const std::vector<Event> noises = {Event::gaussian(1.5),
                                     Event::laplace(1.5),
                                     Event::discrete_gaussian(3, 2),
                                     Event::discrete_gaussian(1, 1),
                                     Event::discrete_laplace(3, 2),
                                     Event::approximate(0.6, 1e-6),
                                     Event::pure(0.6)};
  for (const Event& noise : noises)
    for (const Event& event : {noise, noise.sampled(PoissonSampling::what_if(0.1))}) {
      const Undecided sure = undecided({event}, Relation::add_remove, 1e-4);
      EXPECT_GT(sure.contents, sure.neighbours) << describe(event);
      EXPECT_LT(sure.contents, 1) << describe(event);
    }
}

TEST(Posterior, OfNoReleaseIsThePrior) {
  EXPECT_EQ(loss_upper({}, Relation::replace, 0), 0);
  EXPECT_EQ(posterior_upper(0.3, 0), 0.3);
  EXPECT_EQ(right_guess_upper({}, Relation::replace), 0.5);
}

TEST(Posterior, RefusesPriorsAndExceptionsThatAreNoProbabilities) {
  EXPECT_THROW(posterior_upper(0, 1), UsageError);
  EXPECT_THROW(posterior_upper(1, 1), UsageError);
  const std::vector<Event> events = {Event::pure(1)};
  EXPECT_THROW(loss_upper(events, Relation::replace, -0.1), UsageError);
}

}  // namespace
}  // namespace tulle
