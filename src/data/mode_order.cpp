#include <tulle/base/error.hpp>
#include <tulle/data/mode_order.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kMostTurns = 1e6;

bool is_whole(double place) {
  return place == std::floor(place);
}

}  // namespace

void check(const std::vector<ModeOrder>& orders, const Shape& shape) {
  if (!orders.empty() && orders.size() != static_cast<std::size_t>(shape.order()))
    fail("the orders of {} modes are stated, of {}", orders.size(), shape.order());
  for (std::size_t mode = 0; mode < orders.size(); ++mode) {
    const ModeOrder& order = orders[mode];
    const std::vector<double>& places = order.places;
    if (!places.empty() && (places.size() != shape[static_cast<int>(mode)] ||
                            !std::ranges::all_of(places, [](double place) { return std::isfinite(place); })))
      fail("mode {}: its order needs one finite number for each of {} positions", mode + 1,
           shape[static_cast<int>(mode)]);
    if (order.period == 0) continue;
    if (order.period < 2)
      fail_usage("mode {}: a period of 1 makes all positions alike; give 2 or more", mode + 1);
    if (places.empty()) continue;
    const auto [least, most] = std::ranges::minmax(places);
    if (!std::ranges::all_of(places, is_whole) || most - least > kMostTurns)
      fail_usage(
          "mode {} has a period, but its labels are not whole numbers within {:g} of each other; omit the "
          "period",
          mode + 1, kMostTurns);
  }
}

}  // namespace tulle
