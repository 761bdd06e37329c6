#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace tulle {
namespace {

const std::vector<std::string> kVerbs{"complete", "completion", "predict", "evaluate", "info"};

TEST(Suggestion, IsTheNameWithTheFewestTypingErrors) {
  EXPECT_EQ(nearest_name("compelte", kVerbs), "complete");
  EXPECT_EQ(nearest_name("completin", kVerbs), "completion");
  EXPECT_EQ(nearest_name("inof", kVerbs), "info");
  EXPECT_EQ(nearest_name("pred", kVerbs), "predict");
}

TEST(Suggestion, IsNothingWhereNoNameIsNear) {
  EXPECT_EQ(nearest_name("fit", kVerbs), "");
  EXPECT_EQ(nearest_name("", kVerbs), "");
  EXPECT_EQ(nearest_name("com", kVerbs), "");  // two begin with it
  EXPECT_EQ(suggestion("fit", kVerbs), "");
}

TEST(Suggestion, IsTheEndOfAMessage) {
  EXPECT_EQ(suggestion("infoo", kVerbs), " (did you mean 'info'?)");
}

TEST(Suggestion, IsPartOfTheErrorThatListsWhatThereIs) {
  const std::vector<std::string> methods{"als", "plain"};
  try {
    fail_unknown("method", "alz", methods);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "there is no method 'alz' (did you mean 'als'?); there is: als, plain");
  }
}

}  // namespace
}  // namespace tulle
