#include <tulle/tensor/group_entries.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(GroupEntries, KeepTheOrderOfTheListWithinAGroup) {
  const std::vector<std::size_t> group_of = {3, 0, 3, 1, 0, 3};
  std::vector<std::size_t> order(group_of.size());
  const auto starts = group_entries(
      group_of.size(), 5, [&](std::size_t entry) { return group_of[entry]; },
      [&](std::size_t entry, std::size_t place) { order[place] = entry; });
  EXPECT_EQ(starts, (std::vector<std::size_t>{0, 2, 3, 3, 6, 6}));  // groups 2 and 4 are empty
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 4, 3, 0, 2, 5}));
}

}  // namespace
}  // namespace tulle
