#include <tulle/base/error.hpp>
#include <tulle/data/mode_order.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace tulle {
namespace {

const Shape kDays{3, 2};

TEST(ModeOrder, PlacesAreStatedOrThePositions) {
  EXPECT_EQ(ModeOrder{}.place(2), 2);
  EXPECT_EQ((ModeOrder{.places = {0.5, 10, 2}}.place(1)), 10);
}

TEST(ModeOrder, FitsItsShape) {
  EXPECT_NO_THROW(check({}, kDays));
  EXPECT_NO_THROW(check({{.places = {0.5, 10, 2}}, {.period = 2}}, kDays));
  EXPECT_THROW(check({{}}, kDays), Error) << "one mode of two";
  EXPECT_THROW(check({{.places = {1, 2}}, {}}, kDays), Error) << "two places of three positions";
  EXPECT_THROW(check({{.places = {1, 2, std::numeric_limits<double>::infinity()}}, {}}, kDays), Error);
}

TEST(ModeOrder, APeriodIsOfWholeNumbersNearEachOther) {
  EXPECT_NO_THROW(check({{.places = {5, 1, 9}, .period = 4}, {}}, kDays));
  EXPECT_THROW(check({{.period = 1}, {}}, kDays), UsageError);
  EXPECT_THROW(check({{.places = {0.5, 1, 2}, .period = 4}, {}}, kDays), UsageError);
  EXPECT_THROW(check({{.places = {0, 1, 1e7}, .period = 4}, {}}, kDays), UsageError);
}

}  // namespace
}  // namespace tulle
