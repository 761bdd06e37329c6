#include <tulle/base/error.hpp>
#include <tulle/model/interest.hpp>

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

// Positions 0 and 2 go together, and 1 and 3; 4 and 5 are rare.
Interest two_tastes() {
  Interest interest{
      .mode = 1, .popularity = Vector::Zero(6), .often = {0, 1, 2, 3}, .directions = {}, .own = {}};
  interest.popularity << 9, 8, 7, 6, 1, 2;
  interest.directions = Matrix::Zero(4, 2);
  for (Eigen::Index i = 0; i < 4; ++i) interest.directions(i, i % 2) = 0.6;
  interest.own = Vector::Constant(4, 0.1);
  return interest;
}

TEST(Interest, PrefersWhatGoesTogetherWithWhatAUserHas) {
  const Vector scores = two_tastes().scores(std::array<Index, 1>{1});
  EXPECT_GT(scores[3], scores[0]);
  EXPECT_GT(scores[3], scores[2]);
}

TEST(Interest, RanksRarePositionsBehindByPopularity) {
  const Vector scores = two_tastes().scores(std::array<Index, 1>{0});
  for (Eigen::Index often = 0; often < 4; ++often) EXPECT_GT(scores[often], scores[5]);
  EXPECT_GT(scores[5], scores[4]);
}

TEST(Interest, WithoutDirectionsIsPopularity) {
  Interest interest = two_tastes();
  interest.directions.resize(4, 0);
  EXPECT_EQ(interest.scores(std::array<Index, 1>{1}), interest.popularity);
}

TEST(Interest, IsPopularityForAUserOfWhomNothingIsKnown) {
  const Interest interest = two_tastes();
  EXPECT_EQ(interest.scores({}), interest.popularity);
  EXPECT_EQ(interest.scores(std::array<Index, 1>{5}), interest.popularity);
}

TEST(Interest, OfAnotherShapeIsRefused) {
  EXPECT_NO_THROW(check(two_tastes(), Shape{3, 6}));
  EXPECT_THROW(check(two_tastes(), Shape{3, 5}), Error);
  EXPECT_THROW(check(two_tastes(), Shape{6}), Error);
  Interest none = two_tastes();
  none.own[2] = 0;
  EXPECT_THROW(check(none, Shape{3, 6}), Error);
  Interest twice = two_tastes();
  twice.often[1] = 0;
  EXPECT_THROW(check(twice, Shape{3, 6}), Error);
  Interest wide = two_tastes();
  wide.directions = Matrix::Zero(4, 5);
  EXPECT_THROW(check(wide, Shape{3, 6}), Error);
  Interest large = two_tastes();
  large.directions(0, 0) = 1e300;
  EXPECT_THROW(check(large, Shape{3, 6}), Error);
}

}  // namespace
}  // namespace tulle
