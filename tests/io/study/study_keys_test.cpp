#include "io/expect_error.hpp"

#include <tulle/io/study_keys.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(StudyKeys, AreNamedWhereAReaderAdvisesSomething) {
  EXPECT_EQ(with_keys(with_marks("keep one of the two[, or have them merged (@duplicates mean)]")),
            "keep one of the two, or have them merged (key duplicates mean)");
  EXPECT_EQ(with_keys(with_marks("give their public list[ (@public MODE=FILE)][ (@positions)]")),
            "give their public list (section [positions])");
  EXPECT_EQ(with_keys("a.tns:1: '1 1' has 2 fields"), "a.tns:1: '1 1' has 2 fields");
}

TEST(StudyKeys, DoNotReadNaNAsMissing) {
  EXPECT_EQ(
      with_keys(with_marks("is not a number; remove the line[, or have NaN read as missing (@nan-missing)]")),
      "is not a number; remove the line");
}

TEST(StudyKeys, AnErrorStaysOfItsKind) {
  const auto usage = [] {
    return reading_by_keys([]() -> int { fail_usage("state whether it is[ (@header)]"); });
  };
  EXPECT_THROW(usage(), UsageError);
  const auto other = [] {
    return reading_by_keys([]() -> int { fail("say which of these it is[ (@format)]"); });
  };
  EXPECT_MESSAGE(other(), "say which of these it is (key format)");
  EXPECT_EQ(reading_by_keys([] { return 3; }), 3);
}

}  // namespace
}  // namespace tulle
