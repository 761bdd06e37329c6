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

TEST(Json, IsValidWhateverItsStringsHold) {
  const Json json = {{"film", {"Am\xe9lie", "Am\xc3\xa9lie"}}, {"\xe9", 1}, {"n", 0.5}};
  EXPECT_EQ(json_text(json), "{\"film\":[\"Am\xc3\xa9lie\",\"Am\xc3\xa9lie\"],\"\xc3\xa9\":1,\"n\":0.5}");
  EXPECT_EQ(parse_json(json_text(Json("\xff"), 2)), Json("\xc3\xbf"));
}

}  // namespace
}  // namespace tulle
