#include <tulle/base/error.hpp>
#include <tulle/privacy/sensitivity.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

TEST(Sensitivity, KnowsForWhom) {
  const auto s = Sensitivity::l2(2.5, Unit::user, Relation::add_remove);
  EXPECT_EQ(s.value(), 2.5);
  EXPECT_EQ(s.unit(), Unit::user);
  EXPECT_EQ(s.relation(), Relation::add_remove);
}

TEST(Sensitivity, RefusesWhatIsNoBound) {
  for (const double value : std::initializer_list<double>{0.0, -1.0, INFINITY, NAN})
    EXPECT_THROW(Sensitivity::l1(value, Unit::entry, Relation::replace), Error);
}

TEST(Sensitivity, GroupsAddUp) {
  const auto one = Sensitivity::one_coordinate(4, Unit::entry, Relation::replace);
  EXPECT_EQ(one.for_group(1).norm(), Norm::one_coordinate);
  EXPECT_EQ(one.for_group(3).norm(), Norm::l1);  // three entries may lie in three coordinates
  EXPECT_EQ(one.for_group(3).value(), 12);
  EXPECT_THROW(one.for_group(0), Error);
}

TEST(Sensitivity, SeveralCoordinatesBoundTheirSumAndTheirLength) {
  const auto four = Sensitivity::coordinates(3, 4, Unit::user, Relation::replace);
  EXPECT_EQ(four.norm(), Norm::coordinates);
  EXPECT_EQ(four.changing(), 4u);
  EXPECT_EQ(four.in(Norm::l1).value(), 12);
  EXPECT_EQ(four.in(Norm::l21).value(), 12);
  EXPECT_GE(four.in(Norm::l2).value(), 6);
  EXPECT_NEAR(four.in(Norm::l2).value(), 6, 1e-14);
  EXPECT_EQ(four.for_group(2).norm(), Norm::l1);
  EXPECT_EQ(four.for_group(2).value(), 24);
  EXPECT_THROW(four.in(Norm::one_coordinate), Error);
  EXPECT_EQ(Sensitivity::coordinates(3, 1, Unit::user, Relation::replace).norm(), Norm::one_coordinate);
  EXPECT_THROW(Sensitivity::coordinates(3, 0, Unit::user, Relation::replace), Error);
}

TEST(Sensitivity, OnlyWeakerNormsFollow) {
  const auto one = Sensitivity::one_coordinate(1, Unit::entry, Relation::replace);
  const auto l1 = Sensitivity::l1(1, Unit::entry, Relation::replace);
  const auto l2 = Sensitivity::l2(1, Unit::entry, Relation::replace);
  const auto l21 = Sensitivity::l21(1, Unit::entry, Relation::replace);
  for (Norm norm : {Norm::l1, Norm::l2, Norm::l21}) EXPECT_EQ(one.in(norm).norm(), norm);
  EXPECT_EQ(l1.in(Norm::l2).value(), 1);
  EXPECT_EQ(l1.in(Norm::l21).value(), 1);
  EXPECT_EQ(l21.in(Norm::l2).value(), 1);
  EXPECT_THROW(l2.in(Norm::l1), Error);
  EXPECT_THROW(l2.in(Norm::l21), Error);
  EXPECT_THROW(l21.in(Norm::l1), Error);
  EXPECT_THROW(l1.in(Norm::one_coordinate), Error);
}

}  // namespace
}  // namespace tulle
