#include "io/expect_error.hpp"

#include <tulle/io/study_keys.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(StudyKeys, AreNamedWhereAReaderProposesSomething) {
  EXPECT_EQ(
      with_keys("a.tns:2: cell (1, 1) was given in line 1 already; keep one of the two, or have them merged"),
      "a.tns:2: cell (1, 1) was given in line 1 already; keep one of the two, or have them merged (key "
      "duplicates of the relation: mean, last, sum or count)");
  EXPECT_EQ(with_keys("a.tns:1: '1 1' has 2 fields"), "a.tns:1: '1 1' has 2 fields");
}

TEST(StudyKeys, DoNotReadNaNAsMissing) {
  EXPECT_EQ(
      with_keys("b.tns:1: the value 'nan' is not a number; remove the line, or have NaN read as missing"),
      "b.tns:1: the value 'nan' is not a number; remove the line");
}

TEST(StudyKeys, AnErrorStaysOfItsKind) {
  const auto usage = [] { return reading_by_keys([]() -> int { fail_usage("state whether it is"); }); };
  EXPECT_THROW(usage(), UsageError);
  const auto other = [] { return reading_by_keys([]() -> int { fail("say which of these it is"); }); };
  EXPECT_MESSAGE(other(), "say which of these it is (key format of the relation)");
  EXPECT_EQ(reading_by_keys([] { return 3; }), 3);
}

}  // namespace
}  // namespace tulle
