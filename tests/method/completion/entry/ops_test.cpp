#include "method/private_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using testing::cp;
using ::testing::HasSubstr;
using testing::PrivateRun;

PrivateRun ops(double epsilon, std::vector<int> ranks = {}) {
  return {.method = "ops",
          .terms = {.budget = {epsilon, 0}, .range = {1, 5}, .seed = 1},
          .settings = {},
          .fit = {.ranks = std::move(ranks), .seed = 1}};
}

// Item j of 3 has the values 1 + j and 2 + j in turns; a fourth has none.
SparseTensor table(Index users) {
  SparseTensor tensor(Shape{users, 4}, Unlisted::missing);
  for (Index user = 0; user < users; ++user)
    for (Index item = 0; item < 3; ++item)
      tensor.append(std::array<Index, 2>{user, item}, static_cast<float>(1 + item + user % 2));
  return tensor;
}

// At an epsilon that leaves next to no spread: means of the mode that has the fewest positions.
TEST(Ops, AreMeansOfPositions) {
  const Completion fit = ops(1e6)(table(100));
  for (Index item = 0; item < 3; ++item)
    EXPECT_NEAR(cp(fit).at(std::array<Index, 2>{7, item}), 1.5 + item, 0.003);
  EXPECT_NEAR(cp(fit).at(std::array<Index, 2>{7, 3}), 2.5, 0.003);
  EXPECT_EQ(cp(fit).rank(), 0);
}

// The posterior's standard deviation is width / sqrt(epsilon n): here 4 / sqrt(100) = 0.4, seen over 200
// seeds.
TEST(Ops, SpreadAsThePosterior) {
  PrivateRun run = ops(1);
  const SparseTensor observed = table(100);
  double squares = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    run.terms.seed = seed;
    const double drawn = cp(run(observed)).at(std::array<Index, 2>{0, 1});
    EXPECT_GE(drawn, 1);
    EXPECT_LE(drawn, 5);
    squares += (drawn - 2.5) * (drawn - 2.5) / 200;
  }
  EXPECT_NEAR(std::sqrt(squares), 0.4, 0.4 * 6 / std::sqrt(400));
}

TEST(Ops, AreOnePureRelease) {
  const Guarantee guarantee = ops(0.7)(table(10)).guarantee;
  EXPECT_EQ(guarantee.status, Guarantee::Status::proven);
  EXPECT_NEAR(guarantee.used.epsilon, 0.7, 1e-9);
  EXPECT_EQ(guarantee.used.delta, 0);
  ASSERT_EQ(guarantee.releases.size(), 1u);
  EXPECT_EQ(guarantee.releases[0].noise, "posterior draw");
  EXPECT_EQ(guarantee.releases[0].numbers, 4u);
}

// The record states the standard deviation of what is drawn, which lies within the range: at an epsilon that
// says next to nothing, that of uniform sums between -10 half and 10 half. Conditioned on nothing it would be
// 2 half sqrt(10 / epsilon), 11 times as much.
TEST(Ops, StateTheirStandardDeviationWithinTheRange) {
  const Guarantee guarantee = ops(0.01)(table(10)).guarantee;
  const double half = guarantee.releases[0].sensitivity.value().value() / 2;
  EXPECT_NEAR(guarantee.releases[0].deviation, 10 * half / std::sqrt(3), 0.01 * 10 * half);
}

TEST(Ops, RefuseWhatHasNoExactPosterior) {
  EXPECT_THAT(ops(1, {2}).refusal(table(10)), HasSubstr("exact posterior"));
  EXPECT_EQ(ops(1, {0}).refusal(table(10)), "no error");
}

}  // namespace
}  // namespace tulle
