#include "counts/count_method.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

// The auditor needs a worst case for each form, unit and relation that a method protects.
TEST(CountMethod, HasAWorstCaseForEachUnitAndRelation) {
  for (const bool with_delta : {false, true}) {
    const Method method = count_method({.name = "a", .title = "b"}, with_delta);
    EXPECT_EQ(method.name, "a");
    EXPECT_EQ(method.job, Job::counts);
    ASSERT_EQ(method.protects.size(), 3u);
    EXPECT_EQ(method.worst_cases.size(), with_delta ? 8u : 4u);
    EXPECT_EQ(std::ranges::count_if(method.worst_cases, [](const WorstCase& each) { return each.delta > 0; }),
              with_delta ? 4 : 0);
    EXPECT_EQ(method.guarantee.find("delta") != std::string::npos, with_delta);
  }
}

}  // namespace
}  // namespace tulle
