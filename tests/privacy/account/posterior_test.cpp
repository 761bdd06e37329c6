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
