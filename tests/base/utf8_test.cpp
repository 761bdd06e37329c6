#include <tulle/base/utf8.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

TEST(Utf8, TakesCharactersOfOneToFourBytes) {
  for (const char* text : {"", "Amelie", "Am\xc3\xa9lie", "\xe2\x82\xac", "\xf0\x9f\x8e\xac",
                           "\xf4\x8f\xbf\xbf", "\xef\xbf\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
}

// A byte alone, a character cut off, one in more bytes than it needs, half of a pair, one beyond the last.
TEST(Utf8, RefusesOtherBytes) {
  for (const char* text : {"Am\xe9lie", "\xc3", "\xe2\x82", "\x80", "\xff", "\xc0\xaf", "\xe0\x80\xaf",
                           "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(Utf8, OtherTextIsTakenAsLatin1) {
  EXPECT_EQ(in_utf8("Am\xe9lie"), "Am\xc3\xa9lie");
  EXPECT_EQ(in_utf8("Am\xc3\xa9lie"), "Am\xc3\xa9lie");
}

RC_GTEST_PROP(Utf8, DifferentBytesAreDifferentTexts, (const std::string& one, const std::string& other)) {
  RC_ASSERT(is_utf8(latin1_to_utf8(one)));
  RC_ASSERT((latin1_to_utf8(one) == latin1_to_utf8(other)) == (one == other));
}

}  // namespace
}  // namespace tulle
