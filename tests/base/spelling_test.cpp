#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// A door that has the options nan-missing and columns.
const Spelling kFlags{.write = [](std::string_view id) { return "--" + std::string(id); },
                      .has = [](std::string_view id) { return id == "nan-missing" || id == "columns"; }};

std::string shown(std::string_view text) {
  return spelled(with_marks(text), kFlags);
}

TEST(Spelling, NamesOptionsAsTheDoorWritesThem) {
  EXPECT_EQ(shown("@columns {}: give @nan-missing"), "--columns {}: give --nan-missing");
  EXPECT_EQ(shown("give it by tulle complete @holdout."), "give it by tulle complete --holdout.");
  EXPECT_EQ(spelled(option_name("columns"), kFlags), "--columns");
}

TEST(Spelling, LeavesAdviceOutThatTheDoorCannotFollow) {
  EXPECT_EQ(shown("it is NaN; replace it[, or read it as missing (@nan-missing)]"),
            "it is NaN; replace it, or read it as missing (--nan-missing)");
  EXPECT_EQ(shown("they differ; keep one[, or merge them (@duplicates mean)]"), "they differ; keep one");
  EXPECT_EQ(shown("state it[ (@columns)][ (@header)]"), "state it (--columns)");
}

TEST(Spelling, OtherTextStaysAsItIs) {
  for (const char* text :
       {"positions in [sizes]", "an address user@HOST", "[", "]", "a [list, of] things", "@", "@-"})
    EXPECT_EQ(shown(text), text);
}

// A label of the data may look like an option.
TEST(Spelling, TextThatIsPutInNamesNoOption) {
  try {
    fail("label {} is unknown[, or choose others (@columns)]", "[@nan-missing]");
  } catch (const Error& error) {
    EXPECT_EQ(spelled(error.text(), kFlags), "label [@nan-missing] is unknown, or choose others (--columns)");
  }
}

// Control characters of a name, and marks that stand alone, hide nothing of the rest.
TEST(Spelling, WhatIsPutInCutsNothingOff) {
  for (const char* name : {"a\x01"
                           "b",
                           "a\x05"
                           "b",
                           "a\uFDD0"
                           "b",
                           "a\uFDD2"
                           "b",
                           "a\uFDD4"
                           "b",
                           "a\uFDD1"})
    try {
      fail("{}: no space left; '{}' was charged", name, "acc");
    } catch (const Error& error) {
      EXPECT_EQ(spelled(error.text(), kFlags), fmt::format("{}: no space left; 'acc' was charged", name));
    }
}

TEST(Spelling, HiddenPartsAreShownNowhere) {
  EXPECT_EQ(spelled(hidden("memory 3") + "X: is gone", kFlags), "X: is gone");
}

TEST(Spelling, OfAnErrorIsThatOfCpp) {
  try {
    fail_usage("give one[, or read it as missing (@nan-missing)][ (@new)]; @user-mode is {}", 3);
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "give one, or read it as missing (ReadOptions::nan_is_missing); user-mode is 3");
  }
}

// Messages are made of others: no door is decided on before the last.
TEST(Spelling, OutlivesAMessageWithinAnother) {
  try {
    try {
      fail("cell is NaN[ (@nan-missing)]");
    } catch (const Error& error) {
      fail("relation X: {}", text_of(error));
    }
  } catch (const Error& error) {
    EXPECT_EQ(spelled(error.text(), kFlags), "relation X: cell is NaN (--nan-missing)");
  }
}

}  // namespace
}  // namespace tulle
