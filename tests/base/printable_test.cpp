#include <tulle/base/printable.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace tulle {
namespace {

TEST(Printable, LeavesTextInAnyScriptAsItIs) {
  for (const std::string text : {"", "site 2 stopped: 2 of 3", "Zürich – 東京 – 🎬"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsControlsAsQuestionMarks) {
  EXPECT_EQ(printable("a\x1b[2J\nb\r\t\x7f"), "a?[2J?b???");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "?31m")
      << "an escape of one character";
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "abc"),
            "?abc")
      << "right to left";
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a?b");
}

TEST(Printable, ShowsWhatIsNotUtf8AsQuestionMarks) {
  EXPECT_EQ(printable("\xff"
                      "a"),
            "?a");
  EXPECT_EQ(printable("\xc0\x9b"), "??") << "too long a form of ESC";
  EXPECT_EQ(printable("\xe2\x80"), "??") << "cut off";
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "half of a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????") << "beyond the last character";
}

TEST(Printable, CutsAfterSoManyCharacters) {
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("abcd", 3), "abc...");
  EXPECT_EQ(printable("üüü", 2), "üü...");
}

RC_GTEST_PROP(Printable, HasNoControlWhateverTheBytes, (const std::string& bytes)) {
  const std::string shown = printable(bytes);
  RC_ASSERT(std::ranges::none_of(shown, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }));
  RC_ASSERT(printable(shown) == shown);
}

}  // namespace
}  // namespace tulle
