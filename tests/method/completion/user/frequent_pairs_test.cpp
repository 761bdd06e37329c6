#include "completion/user/frequent_pairs.hpp"

#include "estimate/user/user_moments.hpp"

#include <tulle/base/random.hpp>
#include <tulle/method/interest.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

// Users of one of two tastes: positions below 10, or from 10 to 19; all have some of the last ones.
SparseTensor two_kinds(Index users, Index left_out) {
  SparseTensor observed({users, 30}, Unlisted::missing);
  Random random(4);
  for (Index user = 0; user < users; ++user)
    for (Index at = 0; at < 30; ++at) {
      const double chance = at >= 20 ? 0.1 : (at < 10) == (user % 2 == 0) ? 0.6 : 0.1;
      if (random.chance(chance) && user != left_out) observed.append(std::array<Index, 2>{user, at}, 1);
    }
  return observed;
}

constexpr std::array<Index, 6> kOften{0, 1, 2, 10, 11, 12};

TEST(FrequentPairs, OneUserMovesTheirSumsByOne) {
  const auto sums = [](Index left_out) {
    return frequent_pair_sums(UserCells(two_kinds(20, left_out), 0), 1000, 0, 0, kOften);
  };
  const std::vector<double> all = sums(20);
  for (Index user = 0; user < 20; ++user) {
    const std::vector<double> others = sums(user);
    double square = 0;
    for (std::size_t i = 0; i < all.size(); ++i) square += std::pow(all[i] - others[i], 2);
    EXPECT_LE(square, 1);
    EXPECT_TRUE(square == 0 || square > 0.999);
  }
}

TEST(FrequentPairs, AreFewerTheMoreNoiseThereIs) {
  EXPECT_EQ(frequent_positions(100'000, 1, 1000), 128u);
  EXPECT_EQ(frequent_positions(100'000, 1, 50), 50u);
  EXPECT_LT(frequent_positions(1000, 6, 1000), frequent_positions(1000, 4, 1000));
  EXPECT_EQ(frequent_positions(1000, 100, 1000), 0u);
}

TEST(FrequentPairs, SayWhichPositionsGoTogether) {
  const Interest interest = counted_interest(two_kinds(400, 400).cells(), 0, 1, 30);
  ASSERT_GE(interest.directions.cols(), 2);
  const Vector scores = interest.scores(std::array<Index, 3>{0, 1, 2});
  for (Index at = 3; at < 10; ++at)
    for (Index other = 10; other < 20; ++other) EXPECT_GT(scores[at], scores[other]);
}

TEST(FrequentPairs, OfNoiseAloneLeavePopularity) {
  const std::vector<double> sums(21);
  const Interest interest =
      interest_of(1, Vector::LinSpaced(30, 1, 2), {kOften.begin(), kOften.end()}, sums, 1);
  EXPECT_TRUE(interest.often.empty());
  EXPECT_EQ(interest.scores(std::array<Index, 1>{3}), interest.popularity);
}

}  // namespace
}  // namespace tulle
