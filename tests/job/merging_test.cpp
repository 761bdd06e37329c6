#include <tulle/base/error.hpp>
#include <tulle/job/merging.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

constexpr Duplicates kMerging[] = {Duplicates::mean, Duplicates::last, Duplicates::sum, Duplicates::count};
constexpr Relation kRelations[] = {Relation::replace, Relation::zero_out, Relation::add_remove};

// A user's rows lie in the user's own cells, so merging them changes nothing of other users.
TEST(Merging, OfUsersIsAllowedUnderEveryRelation) {
  for (const Duplicates duplicates : kMerging)
    for (const Relation relation : kRelations)
      EXPECT_NO_THROW(check_merging(duplicates, Unit::user, relation));
}

// Rows 2 and 4 of a cell in the range 1:5, merged by their mean: without the second row the cell changes from
// 3 to 2, by which no entry is added or removed.
TEST(Merging, OfEntriesIsAllowedUnderReplaceAlone) {
  for (const Duplicates duplicates : kMerging) {
    EXPECT_NO_THROW(check_merging(duplicates, Unit::entry, Relation::replace));
    EXPECT_THROW(check_merging(duplicates, Unit::entry, Relation::add_remove), UsageError);
    EXPECT_THROW(check_merging(duplicates, Unit::entry, Relation::zero_out), UsageError);
  }
}

TEST(Merging, WithoutMergingNothingIsRefused) {
  for (const Relation relation : kRelations)
    EXPECT_NO_THROW(check_merging(Duplicates::refuse, Unit::entry, relation));
}

TEST(Merging, IsAPublicFactThatSaysWhatAnEntryIs) {
  EXPECT_EQ(merging_fact(Duplicates::mean, Unit::user),
            "duplicates: mean (rows of one cell are merged into their mean before clamping)");
  EXPECT_EQ(merging_fact(Duplicates::count, Unit::entry),
            "duplicates: count (rows of one cell are merged into their number before clamping; an entry is a "
            "cell with all its rows)");
}

}  // namespace
}  // namespace tulle
