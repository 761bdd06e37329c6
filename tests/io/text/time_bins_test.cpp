#include "text/time_bins.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(TimeBins, OfAStampAreThoseOfTheClockThatItShows) {
  const std::string stamp = "2026-11-19T20:31:58.25+01:00";
  EXPECT_EQ(time_bin(stamp, TimeBin::hour), "2026-11-19T20");
  EXPECT_EQ(time_bin(stamp, TimeBin::day), "2026-11-19");
  EXPECT_EQ(time_bin(stamp, TimeBin::week), "2026-W47");
  EXPECT_EQ(time_bin(stamp, TimeBin::month), "2026-11");
  EXPECT_EQ(time_bin("2026-11-19 20:31", TimeBin::hour), "2026-11-19T20");
  EXPECT_EQ(time_bin("2026-11-19T20Z", TimeBin::hour), "2026-11-19T20");
  EXPECT_EQ(time_bin("2026-11-19", TimeBin::day), "2026-11-19");
}

// ISO 8601: the week of a day belongs to the year of its Thursday.
TEST(TimeBins, WeeksBeginOnMondayAndBelongToTheYearOfTheirThursday) {
  EXPECT_EQ(time_bin("2027-01-01", TimeBin::week), "2026-W53");
  EXPECT_EQ(time_bin("2027-01-04", TimeBin::week), "2027-W01");
  EXPECT_EQ(time_bin("2024-12-30", TimeBin::week), "2025-W01");
  EXPECT_EQ(time_bin("2024-02-29", TimeBin::week), "2024-W09");
}

TEST(TimeBins, OfANumberAreThoseOfSecondsSince1970) {
  EXPECT_EQ(time_bin("0", TimeBin::hour), "1970-01-01T00");
  EXPECT_EQ(time_bin("-1", TimeBin::hour), "1969-12-31T23");
  EXPECT_EQ(time_bin("1795120318.5", TimeBin::day), "2026-11-19");
}

TEST(TimeBins, OfWhatIsNoTimeAreNone) {
  for (const char* text :
       {"", "yesterday", "2026-02-30", "2026-13-01", "2026-11-19T24:00", "2026-11-19T20:61", "2026-1-9",
        "19.11.2026", "2026-11-19T20:31:58+1", "1e300", "nan"})
    EXPECT_EQ(time_bin(text, TimeBin::day), std::nullopt) << text;
  EXPECT_EQ(time_bin("2026-11-19", TimeBin::hour), std::nullopt);
  EXPECT_EQ(time_bin_of("fortnight"), TimeBin::none);
}

}  // namespace
}  // namespace tulle
