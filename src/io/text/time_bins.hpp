// Bins of time stamps: hours, days, weeks and months.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tulle {

enum class TimeBin { none, hour, day, week, month };

// "week"; none if the text is no width of such bins.
TimeBin time_bin_of(std::string_view width);

// The bin of a time: of a stamp of ISO 8601 (2026-11-19T20:31:58+01:00, with a blank for the T, or the date
// alone) by the clock that it shows, or of a number of seconds since 1970 in UTC. Names of bins sort by time:
// 2026-11-19T20, 2026-11-19, 2026-W47 (weeks of ISO 8601, from Monday on), 2026-11. None if the text is no
// time between the years 0 and 9999, or a date alone where hours are asked for.
std::optional<std::string> time_bin(std::string_view text, TimeBin bin);

}  // namespace tulle
