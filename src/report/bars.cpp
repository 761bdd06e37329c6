#include "style.hpp"

#include <tulle/base/error.hpp>
#include <tulle/report/bars.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kBarsWidth = 400, kBarRow = 26, kBarHeight = 14, kTextRoom = 70, kBarLetter = 7.4;

}  // namespace

std::string to_svg(const Bars& bars) {
  if (bars.bars.empty() || !(bars.low < bars.high)) fail("bars: there is nothing to show");
  std::size_t longest = 1;
  for (const Bars::Bar& bar : bars.bars) {
    if (!std::isfinite(bar.from + bar.to)) fail("bars: '{}' is not finite", bar.label);
    longest = std::max(longest, bar.label.size());
  }
  const double left = std::min(0.45 * kBarsWidth, 12 + kBarLetter * static_cast<double>(longest));
  const double right = kBarsWidth - kTextRoom;
  const auto pixel = [&](double value) {
    return left +
           (right - left) * (std::clamp(value, bars.low, bars.high) - bars.low) / (bars.high - bars.low);
  };
  std::string svg =
      svg_start(kBarsWidth, kBarRow * static_cast<double>(bars.bars.size()) + 4, bars.title, 13);
  for (std::size_t row = 0; row < bars.bars.size(); ++row) {
    const Bars::Bar& bar = bars.bars[row];
    const double middle = kBarRow * (static_cast<double>(row) + 0.5) + 2;
    const double begin = pixel(std::min(bar.from, bar.to)), end = pixel(std::max(bar.from, bar.to));
    svg += fmt::format(
        "<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text><path d='M{:.1f} {:.1f}H{:.1f}' "
        "class='grid'/>"
        "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' rx='2' fill='{}'/>"
        "<text x='{:.1f}' y='{:.1f}'>{}</text>\n",
        left - 6, middle + 4.5, escaped(bar.label), left, middle, begin, begin, middle - kBarHeight / 2,
        std::max(1.5, end - begin), kBarHeight, bar.to < bar.from ? "#d1495b" : "#2a7fc4", end + 6,
        middle + 4.5, escaped(bar.text));
  }
  return svg + "</svg>\n";
}

}  // namespace tulle
