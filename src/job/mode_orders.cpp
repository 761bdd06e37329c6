#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/job/mode_orders.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace tulle {
namespace {

using Kind = ModeOrder::Kind;

constexpr Index kMostLabels = 100'000;  // whose places are kept

// 2024-05, 2024-05-31, 2024-05-31 18:00, 2024-05-31T18:00:30: in days.
std::optional<double> day_of(std::string_view text) {
  const auto part = [&](std::size_t begin, std::size_t size) {
    return begin + size <= text.size() ? parse_number<unsigned>(text.substr(begin, size)) : std::nullopt;
  };
  const std::size_t size = text.size();
  if (size != 7 && size != 10 && size != 16 && size != 19) return std::nullopt;
  if (text[4] != '-' || (size > 7 && text[7] != '-') || (size > 10 && text[10] != ' ' && text[10] != 'T') ||
      (size > 13 && text[13] != ':') || (size > 16 && text[16] != ':'))
    return std::nullopt;
  const auto year = part(0, 4), month = part(5, 2);
  const auto day = size > 7 ? part(8, 2) : 1, hour = size > 10 ? part(11, 2) : 0,
             minute = size > 10 ? part(14, 2) : 0, second = size > 16 ? part(17, 2) : 0;
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok() || *hour > 24 || *minute > 59 || *second > 60) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) +
         (*hour + (*minute + *second / 60.0) / 60.0) / 24.0;
}

std::optional<double> number_of(std::string_view text) {
  const auto number = parse_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

template <class Read>
std::vector<double> places_by(const Mode& mode, Read&& read) {
  std::vector<double> places;
  for (const std::string& label : mode.labels) {
    const std::optional<double> place = read(label);
    if (!place) return {};
    places.push_back(*place);
  }
  return places;
}

// Of its labels; empty where they are none.
std::vector<double> places_of(const Mode& mode) {
  std::vector<double> places = places_by(mode, number_of);
  return places.empty() ? places_by(mode, day_of) : places;
}

ModeOrder order_by_labels(const Mode& mode, Index positions) {
  if (mode.any) return {.kind = Kind::none};
  if (mode.labels.empty()) return {};
  if (mode.labels.size() != positions || positions > kMostLabels) return {.kind = Kind::none};
  std::vector<double> places = places_of(mode);
  return {.kind = places.empty() ? Kind::none : Kind::possible, .places = std::move(places)};
}

struct Stated {
  std::string mode;
  std::uint64_t period = 0;
};

// A name may end like a period: "load%10".
Stated parse_stated(const std::string& text, const std::vector<Mode>& modes) {
  const std::size_t mark = text.rfind('%');
  if (mark == std::string::npos || std::ranges::find(modes, text, &Mode::name) != modes.end()) return {text};
  const auto period = parse_number<std::uint64_t>(std::string_view(text).substr(mark + 1));
  if (!period || *period < 2)
    fail_usage("@ordered {}: a period is a whole number of at least 2, as in hour%24", text);
  return {text.substr(0, mark), *period};
}

}  // namespace

std::vector<ModeOrder> mode_orders(const std::vector<std::string>& stated, const std::vector<Mode>& modes,
                                   const Shape& shape) {
  std::vector<ModeOrder> orders;
  const bool none = stated.size() == 1 && stated.front() == "none";
  for (int mode = 0; mode < shape.order(); ++mode)
    orders.push_back(none ? ModeOrder{.kind = Kind::none}
                          : order_by_labels(modes[static_cast<std::size_t>(mode)], shape[mode]));
  for (const std::string& text : none ? std::vector<std::string>() : stated) {
    const auto [name, period] = parse_stated(text, modes);
    const int mode = mode_of(name, modes, "@ordered");
    ModeOrder& order = orders[static_cast<std::size_t>(mode)];
    if (order.kind == Kind::stated) fail_usage("@ordered names mode {} twice; name it once", name);
    if (modes[static_cast<std::size_t>(mode)].any)
      fail_usage("@ordered {}: who the users are is private, so they have no public order; omit it", name);
    order.kind = Kind::stated;
    order.period = period;
  }
  check(orders, shape);
  return orders;
}

}  // namespace tulle
