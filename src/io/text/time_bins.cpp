#include "text/time_bins.hpp"

#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tulle {
namespace {

using std::chrono::day, std::chrono::days, std::chrono::month, std::chrono::sys_days, std::chrono::year,
    std::chrono::year_month_day;

struct Stamp {
  year_month_day date;
  std::optional<int> hour;
};

// A fixed number of digits at the start of a text, which are removed.
std::optional<int> take_number(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// ":31" or ":31:58.25"; the minutes may be missing.
bool take_minutes(std::string_view& text) {
  if (!take(text, ':')) return true;
  const auto minutes = take_number(text, 2);
  if (!minutes || *minutes > 59) return false;
  if (!take(text, ':')) return true;
  const auto seconds = take_number(text, 2);
  if (!seconds || *seconds > 60) return false;
  if (take(text, '.') || take(text, ','))
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  return true;
}

// "Z", "+01:00", "+0100", "+01", or none.
bool is_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z" || text == " UTC") return true;
  if (!take(text, '+') && !take(text, '-')) return false;
  if (!take_number(text, 2)) return false;
  if (text.empty()) return true;
  take(text, ':');
  return take_number(text, 2) && text.empty();
}

std::optional<Stamp> parse_stamp(std::string_view text) {
  const auto of_year = take_number(text, 4);
  if (!of_year || !take(text, '-')) return std::nullopt;
  const auto of_month = take_number(text, 2);
  if (!of_month || !take(text, '-')) return std::nullopt;
  const auto of_day = take_number(text, 2);
  if (!of_day) return std::nullopt;
  const year_month_day date{year(*of_year), month(static_cast<unsigned>(*of_month)),
                            day(static_cast<unsigned>(*of_day))};
  if (!date.ok()) return std::nullopt;
  if (text.empty()) return Stamp{date, {}};
  if (!take(text, 'T') && !take(text, 't') && !take(text, ' ')) return std::nullopt;
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take_minutes(text) || !is_zone(text)) return std::nullopt;
  return Stamp{date, *hour};
}

std::optional<Stamp> from_seconds(double seconds) {
  constexpr double kDay = 86400, kHour = 3600;
  const sys_days first = sys_days(year(0) / 1 / 1), last = sys_days(year(9999) / 12 / 31);
  const double since = std::floor(seconds / kDay);
  if (!(since >= first.time_since_epoch().count() && since <= last.time_since_epoch().count()))
    return std::nullopt;
  const sys_days date{days(static_cast<int>(since))};
  return Stamp{year_month_day(date), static_cast<int>((seconds - since * kDay) / kHour)};
}

// The week of a day belongs to the year of its Thursday.
std::string week_of(const year_month_day& date) {
  const sys_days on(date);
  const int since_monday = static_cast<int>(std::chrono::weekday(on).iso_encoding()) - 1;
  const sys_days thursday = on + days(3 - since_monday);
  const year in = year_month_day(thursday).year();
  const auto week = (thursday - sys_days(in / 1 / 1)).count() / 7 + 1;
  return fmt::format("{:04}-W{:02}", static_cast<int>(in), week);
}

}  // namespace

TimeBin time_bin_of(std::string_view width) {
  if (width == "hour") return TimeBin::hour;
  if (width == "day") return TimeBin::day;
  if (width == "week") return TimeBin::week;
  return width == "month" ? TimeBin::month : TimeBin::none;
}

std::optional<std::string> time_bin(std::string_view text, TimeBin bin) {
  std::optional<Stamp> stamp = parse_stamp(text);
  if (!stamp)
    if (const auto number = parse_field(text); number.fault == NumberFault::none)
      stamp = from_seconds(number.value);
  if (!stamp || (bin == TimeBin::hour && !stamp->hour)) return std::nullopt;
  if (bin == TimeBin::week) return week_of(stamp->date);
  const auto of_year = static_cast<int>(stamp->date.year());
  const auto of_month = static_cast<unsigned>(stamp->date.month()),
             of_day = static_cast<unsigned>(stamp->date.day());
  if (bin == TimeBin::month) return fmt::format("{:04}-{:02}", of_year, of_month);
  if (bin == TimeBin::day) return fmt::format("{:04}-{:02}-{:02}", of_year, of_month, of_day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}", of_year, of_month, of_day, *stamp->hour);
}

}  // namespace tulle
