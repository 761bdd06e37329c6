#include "account/memory.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tulle::account {
namespace {

TEST(Memory, ComputesAnAnswerOnce) {
  Memory<int, int> squares;
  int computed = 0;
  const auto ask = [&](int x) { return squares(x, [&] { return ++computed, x * x; }); };
  EXPECT_EQ(ask(3), 9);
  EXPECT_EQ(ask(3), 9);
  EXPECT_EQ(computed, 1);
  for (int x = 0; x < 5000; ++x) ask(x);  // more than it keeps
  EXPECT_EQ(ask(3), 9);
  EXPECT_EQ(ask(4999), 4999 * 4999);
}

// Releases that cost different things must never be taken for one another.
TEST(Memory, QuestionsDifferInEverythingThatMatters) {
  const auto poisson = PoissonSampling::what_if(0.5);
  const std::vector<std::vector<Event>> lists = {
      {},
      {Event::gaussian(2)},
      {Event::gaussian(2).times(2)},
      {Event::gaussian(2), Event::gaussian(2)},
      {Event::gaussian(2).sampled(poisson)},
      {Event::gaussian(2).sampled(PoissonSampling::what_if(0.25))},
      {Event::gaussian(2).sampled(FixedBatch(1, 2))},
      {Event::laplace(2)},
      {Event::pure(2)},
      {Event::approximate(2, 1e-9)},
      {Event::discrete_gaussian(2, 1)},
      {Event::discrete_gaussian(2, 1, 3)},
      {Event::discrete_laplace(2, 1)},
      {Event::discrete_laplace(2, 2)},
      {Event::gaussian(2).times((std::uint64_t{1} << 40) + 1)},
      {Event::gaussian(2).times(std::uint64_t{1} << 40)},
  };
  std::set<std::vector<double>> questions;
  for (const auto& events : lists)
    for (Relation relation : {Relation::replace, Relation::add_remove})
      for (double target : {0.0, 1e-6}) questions.insert(question(events, relation, target));
  EXPECT_EQ(questions.size(), lists.size() * 4);
}

}  // namespace
}  // namespace tulle::account
