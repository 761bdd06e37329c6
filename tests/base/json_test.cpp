#include <tulle/base/json.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Json, KeepsTheOrderOfItsFields) {
  EXPECT_EQ(json_text(parse_json(R"({"b": 1, "a": [0.1, null]})")), R"({"b":1,"a":[0.1,null]})");
  EXPECT_EQ(json_text(Json{{"b", 1}}, 2), "{\n  \"b\": 1\n}");
}

TEST(Json, TextThatIsNoJsonThrowsOrIsDiscarded) {
  EXPECT_THROW(parse_json("{"), Json::exception);
  EXPECT_TRUE(try_parse_json("{").is_discarded());
  EXPECT_FALSE(try_parse_json("{}").is_discarded());
}

TEST(Json, StringsThatAreNotUtf8CannotBeWritten) {
  EXPECT_THROW(json_text(Json("Am\xe9lie")), Json::exception);
}

}  // namespace
}  // namespace tulle
