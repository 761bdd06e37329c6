#include "account/composed.hpp"
#include "privacy/account/composed_plan.hpp"

#include <tulle/privacy/account/composition.hpp>
#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::account {
namespace {

// Gaussian releases compose to a Gaussian: an upper bound of its delta, too large by what the grid costs.
TEST(Window, ComposesGaussianReleases) {
  for (const double mu : {0.5, 2.0})
    for (const double count : {1.0, 7.0, 1000.0}) {
      const double epsilon = 2 * mu;
      const std::vector<Release> releases{{GaussianPair{std::sqrt(count) / mu, 1, false}, count}};
      const auto window =
          compose_window(releases, Direction::remove, testing::gaussian_plan(mu, count, epsilon, 1 << 16));
      const double exact = gaussian_delta_upper(mu, epsilon);
      EXPECT_GE(window->delta_upper(epsilon), exact * (1 - 1e-12)) << mu << " " << count;
      EXPECT_LE(window->delta_upper(epsilon), exact * 1.001) << mu << " " << count;
      const double found = window->epsilon_upper(exact);
      EXPECT_GE(found, epsilon * (1 - 1e-12));
      EXPECT_LE(found, epsilon * 1.001);
      EXPECT_LT(window->slack(epsilon), 1e-3 * exact);
    }
}

// Losses of whole grid steps are not moved by the grid: what is left is rounding.
TEST(Window, ComposesRandomisedResponseExactly) {
  const double each = 0.25, epsilon = 1;
  const std::uint64_t count = 12;
  const auto pair = loss_analysis(Event::pure(each), Relation::replace)->pair;
  const Plan plan{1, each, epsilon, 64, 1e-300, 1, each, {{}}};
  const auto window = compose_window({{pair, double(count)}}, Direction::remove, plan);
  const double exact = optimal_delta_upper(each, count, epsilon);
  EXPECT_NEAR(window->delta_upper(epsilon), exact, 1e-10 * exact);
  EXPECT_GE(window->delta_upper(epsilon), exact * (1 - 1e-13));
  EXPECT_NEAR(window->epsilon_upper(exact), epsilon, 1e-9);
}

// Two kinds of releases: the sum over all pairs of losses.
TEST(Window, ComposesDifferentReleases) {
  const auto small = std::get<DiscretePair>(loss_analysis(Event::pure(0.5), Relation::replace)->pair);
  const auto large = std::get<DiscretePair>(loss_analysis(Event::pure(0.75), Relation::replace)->pair);
  const Plan plan{1, 0.25, 0.6, 64, 1e-300, 1, 0.5, {{}, {}}};
  const auto window = compose_window({{small, 1}, {large, 1}}, Direction::remove, plan);
  double exact = 0;
  for (const Point& a : small.points)
    for (const Point& b : large.points)
      exact +=
          std::exp(a.log_q + a.loss + b.log_q + b.loss) * std::max(0.0, -std::expm1(0.6 - a.loss - b.loss));
  EXPECT_NEAR(window->delta_upper(0.6), exact, 1e-10);
}

TEST(Window, SaysWhenEpsilonLiesOutside) {
  const std::vector<Release> releases{{GaussianPair{1, 1, false}, 1}};
  const auto window = compose_window(releases, Direction::remove, testing::gaussian_plan(1, 1, 2, 1 << 12));
  EXPECT_EQ(window->epsilon_upper(1), -INFINITY);
  EXPECT_EQ(window->epsilon_upper(1e-300), INFINITY);
  EXPECT_EQ(window->delta_upper(-1e9), 1);
}

TEST(Window, KnowsNothingWhereNumbersOverflow) {
  const std::vector<Release> releases{{GaussianPair{1, 1, false}, 1}};
  Plan plan = testing::gaussian_plan(1, 1, 2, 1 << 10);
  plan.theta = 1e308;
  const auto window = compose_window(releases, Direction::remove, plan);
  EXPECT_EQ(window->delta_upper(2), 1);
  EXPECT_EQ(window->epsilon_upper(0.5), INFINITY);
}

}  // namespace
}  // namespace tulle::account
