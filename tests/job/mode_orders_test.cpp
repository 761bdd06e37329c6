#include <tulle/base/error.hpp>
#include <tulle/job/mode_orders.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using Kind = ModeOrder::Kind;
const Shape kOrdered{3, 2, 4};

std::vector<Mode> modes() {
  return {
      {"day", {"2024-02-28", "2024-03-01 12:00", "2024-02-29"}}, {"city", {"Bern", "Basel"}}, {"hour", {}}};
}

TEST(ModeOrders, AreThoseOfNumbersAndDatesWhereNoneIsStated) {
  const std::vector<ModeOrder> orders = mode_orders({}, modes(), kOrdered);
  EXPECT_EQ(orders[0].kind, Kind::possible);
  EXPECT_DOUBLE_EQ(orders[0].places[1] - orders[0].places[0], 2.5);
  EXPECT_DOUBLE_EQ(orders[0].places[2] - orders[0].places[0], 1);
  EXPECT_EQ(orders[1], ModeOrder{.kind = Kind::none});
  EXPECT_EQ(orders[2], ModeOrder{});
  const std::vector<ModeOrder> numbered = mode_orders({}, {{"dose", {"0.5", "10", "2"}}}, Shape{3, 1});
  EXPECT_EQ(numbered[0].places, (std::vector<double>{0.5, 10, 2}));
}

TEST(ModeOrders, AreStatedByNameOrNumberWithAPeriod) {
  const std::vector<ModeOrder> orders = mode_orders({"hour%24", "2"}, modes(), kOrdered);
  EXPECT_EQ(orders[0].kind, Kind::possible);
  EXPECT_EQ(orders[1], ModeOrder{.kind = Kind::stated});  // in the order of the list
  EXPECT_EQ(orders[2], (ModeOrder{.kind = Kind::stated, .period = 24}));
  for (const ModeOrder& order : mode_orders({"none"}, modes(), kOrdered)) EXPECT_EQ(order.kind, Kind::none);
  EXPECT_EQ(mode_orders({"load%10"}, {{"load%10", {}}}, Shape{4, 1})[0], ModeOrder{.kind = Kind::stated});
}

TEST(ModeOrders, ThatMakeNoSenseAreRefused) {
  for (const char* const wrong : {"hours", "hour%", "hour%1", "hour%2.5", "hour%-3", "day%7", "none%3"})
    EXPECT_THROW(mode_orders({wrong}, modes(), kOrdered), UsageError) << wrong;
  EXPECT_THROW(mode_orders({"hour", "3%24"}, modes(), kOrdered), UsageError);
  EXPECT_THROW(mode_orders({"none", "hour"}, modes(), kOrdered), UsageError);
  std::vector<Mode> users = modes();
  users[1] = {.name = "user", .any = true};
  EXPECT_THROW(mode_orders({"user"}, users, kOrdered), UsageError);
  EXPECT_EQ(mode_orders({}, users, kOrdered)[1].kind, Kind::none);
}

TEST(ModeOrders, TakeDatesAloneForDates) {
  for (const char* const wrong :
       {"2024-13-01", "2024-02-30", "2024/02/03", "2024-02-03 25:00", "24-02-03", ""})
    EXPECT_EQ(mode_orders({}, {{"day", {"2024-02-03", wrong}}}, Shape{2, 1})[0].kind, Kind::none) << wrong;
  for (const char* const right : {"2024-05", "2024-05-31", "2024-05-31 18:00", "2024-05-31T18:00:30"})
    EXPECT_EQ(mode_orders({}, {{"day", {right, right}}}, Shape{2, 1})[0].kind, Kind::possible) << right;
}

}  // namespace
}  // namespace tulle
