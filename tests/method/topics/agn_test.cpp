#include "method/topics/samples.hpp"

#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using namespace testing;

TEST(Agn, BothMomentsHaveHalfOfTheBudget) {
  TopicRun run{.method = "agn"};
  run.terms.budget = {1, 1e-6};
  const Guarantee guarantee = run(made_up(true_topics(6, 2), 1000, 3, 1)).guarantee;
  ASSERT_EQ(guarantee.releases.size(), 2u);
  // mu^2 halved: sqrt(2) / mu times the sensitivity sqrt(2). The budget keeps a margin of 1e-10.
  const double deviation = 2 / gaussian_mu_lower(1, 1e-6);
  EXPECT_NEAR(guarantee.releases[0].deviation, deviation, 1e-5 * deviation);
  EXPECT_NEAR(guarantee.releases[1].deviation, deviation, 1e-5 * deviation);
  EXPECT_EQ(guarantee.releases[0].noise, "Gaussian");
}

// sqrt(2) sqrt(2 ln(1.25 / 0.005)) / 0.5 on sums over 1e5 documents: mechanisms 3.1.
TEST(Agn, AsPublishedTheNoiseIsThatOfThePaper) {
  TopicRun run{.method = "agn"};
  run.terms = {.budget = {1, 0.01}, .unit = Unit::document, .calibration = Calibration::published, .seed = 1};
  const TopicOutcome outcome = run(made_up(true_topics(10, 3), 100000, 3, 7));
  EXPECT_NEAR(outcome.guarantee.releases[0].deviation / 1e5, 9.399116e-5, 1e-9);
  EXPECT_EQ(outcome.guarantee.status, Guarantee::Status::claimed);
}

}  // namespace
}  // namespace tulle
