#include "binary/modes_json.hpp"

#include "io/expect_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <set>

namespace tulle {
namespace {

const Shape kShape{3, 2};

std::vector<Mode> there_and_back(const std::vector<Mode>& modes, const Shape& shape) {
  const std::string text = Json{{"modes", modes_to_json(modes)}}.dump();
  return modes_from_json("x", Json::parse(text), shape);
}

// Any bytes: JSON itself holds UTF-8 alone.
RC_GTEST_PROP(ModesJson, NamesAndLabelsOfAnyBytesComeBack, (const std::set<std::string>& labels)) {
  const std::vector<std::string> list(labels.begin(), labels.end());
  const std::vector<Mode> modes = {{"user", list}, {*rc::gen::string<std::string>().as("name"), {}}};
  const Shape shape{std::max<std::uint64_t>(list.size(), 1), 2};
  RC_ASSERT(there_and_back(modes, shape) == modes);
}

// Messages shorten such a name and replace its control characters; the name itself stays what it was.
TEST(ModesJson, ALongNameThatIsNotUtf8ComesBackWhole) {
  const std::vector<Mode> modes = {{std::string(100, '\xe9') + "\t", {}}, {"b", {}}};
  EXPECT_EQ(there_and_back(modes, kShape), modes);
}

TEST(ModesJson, ThatAreNumberedSaySo) {
  const std::vector<Mode> modes = {{.name = "a", .labels = {"1", "7"}, .numbered = true}, {.name = "b"}};
  EXPECT_EQ(there_and_back(modes, kShape), modes);
}

TEST(ModesJson, IsPlainTextWhereLabelsAreUtf8) {
  EXPECT_EQ(modes_to_json({{"film", {"Am\xc3\xa9lie"}}, {"user", {}, true}}).dump(),
            R"([{"name":"film","labels":["Am)"
            "\xc3\xa9"
            R"(lie"]},{"name":"user","any":true}])");
  EXPECT_EQ(modes_to_json({{"film", {"Am\xe9lie"}}}).dump(),
            R"([{"name":"film","encoding":"latin-1","labels":["Am)"
            "\xc3\xa9"
            R"(lie"]}])");
}

std::string refusal_of(const std::string& modes) {
  return message_of([&] { modes_from_json("x", Json::parse("{\"modes\":" + modes + "}"), kShape); });
}

TEST(ModesJson, ThatDoNotFitTheShapeAreRefused) {
  EXPECT_EQ(refusal_of(R"([{"name":"a"},{"name":"b","labels":["p","q"]}])"), "(no error)");
  EXPECT_EQ(refusal_of(R"([{"name":"a"}])"), "x: names 1 modes of a 3x2 tensor; write it again");
  EXPECT_EQ(refusal_of(R"([{"name":"a"},{"name":"b","labels":["p","q","r"]}])"),
            "x: mode 'b' has 3 labels for 2 positions; write it again");
  EXPECT_EQ(refusal_of(R"([{"name":"a"},{"name":"b","labels":["p","p"]}])"),
            "x: mode 'b' has the label 'p' twice; write it again");
  EXPECT_EQ(refusal_of(R"([{"name":"a","any":true},{"name":"b"}])"),
            "x: mode 'a' has one row for any position, but 3 positions; write it again");
  EXPECT_EQ(refusal_of(R"([{"name":"a","any":"yes"},{"name":"b"}])"),
            "x: 'any' of a mode is neither true nor false; write it again");
  EXPECT_EQ(refusal_of(R"([{"name":"a"},{"labels":[]}])"), "x: has no text 'name'; write it again");
  EXPECT_EQ(refusal_of(R"([{"name":"a","encoding":"ebcdic"},{"name":"b"}])"),
            "x: a mode has an unknown encoding; read it with a newer version");
}

TEST(ModesJson, AMemberStatesItsFormatAndVersion) {
  const auto refusal = [](const std::string& text) {
    return message_of([&] { parse_member("x", text, std::array<std::string_view, 1>{"tensor"}); });
  };
  EXPECT_EQ(refusal(R"({"format":"tensor","version":1})"), "(no error)");
  EXPECT_EQ(refusal("[1]"), "x: is no JSON object; write the file again");
  EXPECT_EQ(refusal(R"({"format":"model","version":1})"), "x: the file is a model, not a tensor");
  EXPECT_EQ(refusal(R"({"format":"tensor"})"), "x: states no format version; write it again");
  EXPECT_EQ(refusal(R"({"format":"tensor","version":2})"),
            "x: has format version 2, this program reads 1; update it");
  EXPECT_EQ(
      refusal(R"({"format":"tensor","version":0})"),
      "x: is of an earlier version of tulle (format version 0, this program reads 1); fit the data again");
}

}  // namespace
}  // namespace tulle
