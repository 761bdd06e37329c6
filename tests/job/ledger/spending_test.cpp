#include <tulle/job/spending.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

LedgerStatement statement(const Budget& granted, const std::vector<std::vector<Event>>& charges) {
  LedgerStatement all{.account = {.name = "ratings"}, .granted = granted};
  for (const auto& events : charges) all.charges.push_back({.events = events});
  return all;
}

TEST(Spending, PureChargesAddUp) {
  EXPECT_NEAR(largest_epsilon(statement({3, 0}, {{Event::pure(0.5)}, {Event::pure(0.7)}})), 1.8, 1.1e-4);
  EXPECT_EQ(largest_epsilon(statement({3, 0}, {})), 3);
}

TEST(Spending, NothingFitsWhereNothingIsLeft) {
  EXPECT_EQ(largest_epsilon(statement({0, 0}, {})), 0);
  EXPECT_EQ(largest_epsilon(statement({1, 0}, {{Event::pure(1)}})), 0);
}

TEST(Spending, AChargeHasAnEpsilonOfItsOwn) {
  const LedgerStatement all = statement({3, 1e-5}, {{Event::pure(0.5)}, {Event::gaussian(2)}});
  EXPECT_EQ(epsilon_of(all.charges[0], all), 0.5);
  EXPECT_GT(epsilon_of(all.charges[1], all), 1);
  EXPECT_LT(epsilon_of(all.charges[1], all), 3);
}

}  // namespace
}  // namespace tulle
