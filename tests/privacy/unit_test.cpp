#include <tulle/base/error.hpp>
#include <tulle/privacy/unit.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Unit, NamesAreReadBack) {
  for (const Unit unit : {Unit::entry, Unit::user, Unit::document}) EXPECT_EQ(unit_of(name(unit)), unit);
  for (const Relation relation : {Relation::replace, Relation::zero_out, Relation::add_remove})
    EXPECT_EQ(relation_of(name(relation)), relation);
  EXPECT_EQ(name(Unit::user), "user");
  EXPECT_EQ(name(Relation::add_remove), "add-remove");
}

TEST(Unit, RefusesOtherNames) {
  EXPECT_THROW(unit_of("row"), UsageError);
  EXPECT_THROW(relation_of("add_remove"), UsageError);
}

}  // namespace
}  // namespace tulle
