#include <tulle/base/error.hpp>
#include <tulle/data/links.hpp>

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

const std::array<std::string, 2> kVisits = {"user", "place"}, kTraits = {"place", "trait"};
const LinkModel kGroups{.groups = 2, .exponent = 0, .inside = 1};

TEST(Links, AreDistinctCellsAndTheSameForASeed) {
  const SparseTensor a = draw_links(Shape{40, 30}, kVisits, 200, {}, 3);
  EXPECT_EQ(a.size(), 200u);
  EXPECT_EQ(a.unlisted(), Unlisted::zero);
  const SparseTensor b = draw_links(Shape{40, 30}, kVisits, 200, {}, 3);
  EXPECT_TRUE(std::ranges::equal(a.column(0), b.column(0)) && std::ranges::equal(a.column(1), b.column(1)));
}

// With all positions of a link's group, a place that is linked to users of one group is linked to traits of
// one.
TEST(Links, OfTwoTablesHaveTheGroupsOfTheirCommonModeInCommon) {
  const SparseTensor visits = draw_links(Shape{4, 20}, kVisits, 38, kGroups, 5);
  const SparseTensor traits = draw_links(Shape{20, 4}, kTraits, 38, kGroups, 5);
  std::array<std::array<std::size_t, 4>, 4> together{};  // user and trait by a place that both are linked to
  for (std::size_t i = 0; i < visits.size(); ++i)
    for (std::size_t j = 0; j < traits.size(); ++j)
      if (visits.column(1)[i] == traits.column(0)[j]) ++together[visits.column(0)[i]][traits.column(1)[j]];
  for (const auto& user : together) EXPECT_EQ(std::ranges::count(user, 0u), 2);  // traits of the other group
}

TEST(Links, AreRefusedWhereTheyDoNotFit) {
  EXPECT_THROW(draw_links(Shape{4, 20}, kVisits, 41, kGroups, 5), Error);
  EXPECT_THROW(draw_links(Shape{1, 200}, kVisits, 5, kGroups, 5), Error);
  EXPECT_THROW(draw_links(Shape{4, 20}, kVisits, 40, {.groups = 2, .exponent = 1}, 5), Error);
}

}  // namespace
}  // namespace tulle
