#include <tulle/base/error.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(ModeOf, TakesNamesAndNumbers) {
  const std::vector<Mode> modes = {{"user", {}}, {"film", {}}, {"1", {}}};
  EXPECT_EQ(mode_of("film", modes, "mode"), 1);
  EXPECT_EQ(mode_of("2", modes, "mode"), 1);
  EXPECT_EQ(mode_of("1", modes, "mode"), 2);  // a name comes first
}

TEST(ModeOf, TakesAxesFrom0) {
  const std::vector<Mode> modes = {{"user", {}}, {"film", {}}, {"axis 0", {}}};
  EXPECT_EQ(mode_of("axis 1", modes, "mode"), 1);
  EXPECT_EQ(mode_of("axis 0", modes, "mode"), 2);  // a name comes first
  for (const std::string number : {"3", "-1", "", "x"}) {
    try {
      mode_of("axis " + number, modes, "the mode");
      FAIL() << number;
    } catch (const UsageError& error) {
      EXPECT_EQ(error.what(), "the mode " + number + ": there is no such axis; axes count from 0 to 2");
    }
  }
}

TEST(ModeOf, TakesNamesInLatin1AsTheyAreInUtf8) {
  EXPECT_EQ(mode_of("\xc3\xa9", {{"film", {}}, {"\xe9", {}}}, "mode"), 1);
}

TEST(ModeInUtf8, IsLatin1AsAWhole) {
  const Mode mixed{"film", {"\xe9", "\xc3\xa9"}};
  EXPECT_EQ(in_utf8(mixed).labels, (std::vector<std::string>{"\xc3\xa9", "\xc3\x83\xc2\xa9"}));
  const Mode utf8{"film", {"\xc3\xa9"}, false, true};
  EXPECT_EQ(in_utf8(utf8), utf8);
}

TEST(ModeOf, SaysWhatWasProbablyMeant) {
  const std::vector<Mode> modes = {{"user", {}}, {"film", {}}};
  for (const std::string text : {"0", "3", "-1", "fil", "2x"}) {
    try {
      mode_of(text, modes, "the mode");
      FAIL() << text;
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("the mode " + text + ": there is no such mode")) << message;
      EXPECT_EQ(message.find("did you mean 'film'") != std::string::npos, text == "fil") << message;
      EXPECT_NE(message.find("there are user, film, or numbers"), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace tulle
