#include <tulle/base/error.hpp>
#include <tulle/job/options/common.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Asked {
  bool json = false;
  int rank = 1;
  std::uint64_t words = 0;
  double delta = 0;
  std::string method = "auto";
  std::optional<double> epsilon;
  std::optional<Range> range;
  std::vector<std::string> lists;
  std::set<std::string> given;

  void declare(OptionTable& table) {
    table.add("json", json, "JSON");
    table.add("rank", rank, "Components").positive().show_default();
    table.add("words", words, "How many");
    table.add("delta", delta, "Delta").show_default();
    table.add("method", method, "Which").one_of({"auto", "als", "sgd"}).show_default();
    table.add("epsilon", epsilon, "The budget; see @delta").between(0, 10);
    table
        .add(
            "range", range, [](const std::string& text) { return parse_range("range", text); }, "LOW:HIGH")
        .joined_by(':');
    table.add("public", lists, "Lists").repeats();
    table.recorded([&] { table.add("seed", words, "The seed"); }, given);
  }
};

// What an option says of a value.
std::string refusal(const std::string& id, OptionValue value) {
  Asked asked;
  OptionTable table;
  asked.declare(table);
  try {
    table.take({{id, std::move(value)}});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no refusal";
}

OptionValue text(std::string value) {
  return {std::move(value)};
}

OptionValue number(double value) {
  return {value};
}

OptionValue whole(std::int64_t value) {
  return {value};
}

OptionValue list(std::vector<OptionValue> values) {
  return {std::move(values)};
}

TEST(OptionTable, TakesTextsAndTypedValuesAlike) {
  for (const auto& [epsilon, rank, range] : {std::tuple{text("0.5"), text("3"), text("1:5")},
                                             {number(0.5), whole(3), list({whole(1), number(5)})}}) {
    Asked asked;
    OptionTable table;
    asked.declare(table);
    table.take({{"epsilon", epsilon}, {"rank", rank}, {"range", range}, {"json", {true}}});
    EXPECT_EQ(asked.epsilon, 0.5);
    EXPECT_EQ(asked.rank, 3);
    EXPECT_EQ(asked.range->high, 5);
    EXPECT_TRUE(asked.json);
  }
}

TEST(OptionTable, RefusesWhatIsNoneOfTheType) {
  EXPECT_EQ(refusal("epsilon", text("much")), "epsilon: much is not a number");
  EXPECT_EQ(refusal("rank", number(2.5)), "FitOptions::ranks: 2.5 is not a whole number below 2^31");
  EXPECT_EQ(refusal("words", whole(-1)), "words: -1 is not a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(refusal("json", text("no")), "json is no; it must be true or false");
  EXPECT_EQ(refusal("rank", whole(0)), "FitOptions::ranks: 0 is not a number above 0");
  EXPECT_EQ(refusal("epsilon", whole(11)), "epsilon: 11 is not a number from 0 to 10");
  EXPECT_EQ(refusal("range", text("5")), "range 5: expected LOW:HIGH, such as 1:5");
  EXPECT_EQ(refusal("method", text("alz")),
            "method: there is no 'alz' (did you mean 'als'?); choose auto, als, sgd");
  EXPECT_EQ(refusal("rank", whole(std::int64_t{1} << 40)),
            "FitOptions::ranks: 1099511627776 is not a whole number below 2^31");
  EXPECT_EQ(refusal("epsilon", {true}), "epsilon: true is not a number");
  EXPECT_EQ(refusal("method", text("")), "method is empty; give a value, or leave it out");
  EXPECT_EQ(refusal("rank", number(3)), "no refusal");
  EXPECT_EQ(refusal("epsilon", text("+1")), "no refusal");
  EXPECT_EQ(refusal("shap", text("3x4")), "there is no option shap");
}

TEST(OptionTable, AnOptionThatRepeatsTakesEach) {
  Asked asked;
  OptionTable table;
  asked.declare(table);
  table.find("public")->take(text("a"));
  table.find("public")->take(list({text("b"), text("c")}));
  EXPECT_THAT(asked.lists, ElementsAre("a", "b", "c"));
}

TEST(OptionTable, DefaultsAreThoseOfTheVariables) {
  Asked asked;
  OptionTable table;
  asked.declare(table);
  EXPECT_EQ(std::get<std::string>(table.find("method")->otherwise()->held), "auto");
  EXPECT_EQ(std::get<double>(table.find("delta")->otherwise()->held), 0);
  EXPECT_FALSE(table.find("words")->otherwise());  // not shown
  EXPECT_TRUE(table.find("json")->is_flag());
}

TEST(OptionTable, RequiredOptionsHaveValues) {
  std::string path;
  OptionTable table;
  table.add("train", path, "A file").required();
  EXPECT_THROW(table.take({}), UsageError);
  table.take({{"train", text("x.csv")}});
  EXPECT_EQ(path, "x.csv");
}

// Asked by whether they were given: the value may be the default.
TEST(OptionUses, RefusesAnOptionOfAnotherUse) {
  OptionUses uses;
  double delta = 0, ridge = 0;
  OptionTable table;
  uses.declare(table, "private runs", [&] { table.add("delta", delta, "Delta"); });
  table.add("ridge", ridge, "Ridge");
  table.take({{"ridge", number(1)}});
  EXPECT_NO_THROW(uses.refuse("private runs", "is for private runs"));
  table.take({{"delta", number(0)}});
  EXPECT_TRUE(uses.given("delta"));
  try {
    uses.refuse("private runs", "is for private runs; leave it out");
    FAIL() << "it was given";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "delta is for private runs; leave it out");
  }
}

// A flag that is switched off is as if it had not been given.
TEST(OptionUses, AFlagThatIsSwitchedOffPlaysNoPart) {
  OptionUses uses;
  bool is_public = false;
  OptionTable table;
  uses.declare(table, "private runs", [&] { table.add("from-is-public", is_public, "Public"); });
  table.take({{"from-is-public", {false}}});
  EXPECT_FALSE(is_public);
  EXPECT_FALSE(uses.given("from-is-public"));
}

// Two doors, one table: each writes the option in its way.
TEST(OptionTable, MeaningsNameOptionsByTheirIds) {
  Asked asked;
  OptionTable table;
  asked.declare(table);
  const Spelling flags{.write = [](std::string_view id) { return "--" + std::string(id); },
                       .has = [](std::string_view) { return true; }};
  EXPECT_EQ(spelled(table.find("epsilon")->meaning(), flags), "The budget; see --delta");
}

}  // namespace
}  // namespace tulle
