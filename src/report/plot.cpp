#include "escaped.hpp"
#include "style.hpp"

#include <tulle/base/error.hpp>
#include <tulle/report/plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace tulle {
namespace {

// A wide plot has a title, and its legend is beside the curves; a compact one, in a page with a caption for
// it, has its legend below the curves.
struct Layout {
  double width, height, left, right, top, bottom, legend, font;

  double x_end() const { return width - right; }
  double y_end() const { return height - bottom; }
};
constexpr Layout kWide = {640, 400, 70, 20, 40, 50, 200, 12};
constexpr Layout kCompact = {400, 270, 66, 14, 28, 44, 0, 13};
constexpr double kLine = 18;  // height of a line of the legend
constexpr double kDecade = 10;

// Distinguishable on white and on black; beyond that by dashes, and in print by dashes alone.
constexpr std::array<std::string_view, 6> kColours = {"#2a7fc4", "#d1495b", "#2f9e6b",
                                                      "#9a6fb8", "#d08a1d", "#7a7a7a"};
constexpr std::array<std::string_view, 4> kDashes = {"none", "7 3", "2 3", "9 3 2 3"};

// One axis: the map from data to pixels, and the ticks.
class Axis {
 public:
  Axis(double low, double high, double from, double to, bool logarithmic)
      : low_(low), high_(high), from_(from), to_(to), logarithmic_(logarithmic) {
    if (logarithmic_ && low_ <= 0) fail("plot: a logarithmic axis needs values above 0");
    if (high_ <= low_) high_ = low_ + (low_ == 0 ? 1 : std::abs(low_));
  }

  double pixel(double value) const {
    return from_ + (to_ - from_) * (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_));
  }

  std::vector<double> ticks() const { return logarithmic_ ? decades() : round_steps(); }

 private:
  double scaled(double value) const { return logarithmic_ ? std::log10(value) : value; }

  // Powers of ten and, if there are few of them, also 2 and 5 times each.
  std::vector<double> decades() const {
    const bool few = high_ / low_ < 1000;
    std::vector<double> result;
    for (double power = std::floor(std::log10(low_)); power <= std::log10(high_) + 1e-9; ++power)
      for (double factor : {1.0, 2.0, 5.0}) {
        const double tick = factor * std::pow(10, power);
        if ((few || factor == 1) && tick >= low_ * (1 - 1e-9) && tick <= high_ * (1 + 1e-9))
          result.push_back(tick);
      }
    return result.size() > 1 ? result : std::vector<double>{low_, high_};
  }

  // Steps of 1, 2 or 5 times a power of ten, about five of them.
  std::vector<double> round_steps() const {
    const double rough = (high_ - low_) / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (double factor : {2.0, 5.0, 10.0})
      if (step < rough) step = factor * power;
    std::vector<double> result;
    for (double tick = std::ceil(low_ / step) * step; tick <= high_ * (1 + 1e-12); tick += step)
      result.push_back(tick);
    return result;
  }

  double low_, high_, from_, to_;
  bool logarithmic_;
};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void cover(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

std::string frame(const Plot& plot, const Layout& layout, const Axis& x, const Axis& y) {
  const double bottom = layout.y_end(), right = layout.x_end();
  std::string svg;
  for (double tick : x.ticks())
    svg += fmt::format(
        "<line x1='{0:.1f}' y1='{1}' x2='{0:.1f}' y2='{2}' class='grid'/><text x='{0:.1f}' y='{3}' "
        "text-anchor='middle'>{4:g}</text>\n",
        x.pixel(tick), layout.top, bottom, bottom + 18, tick);
  for (double tick : y.ticks())
    svg += fmt::format(
        "<line x1='{1}' y1='{0:.1f}' x2='{2}' y2='{0:.1f}' class='grid'/><text x='{3}' y='{0:.1f}' "
        "text-anchor='end' dy='4'>{4:g}</text>\n",
        y.pixel(tick), layout.left, right, layout.left - 6, tick);
  if (!plot.compact)
    svg += fmt::format("<text x='{}' y='24' text-anchor='middle' font-size='15'>{}</text>\n",
                       layout.width / 2, escaped(plot.title));
  svg += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", (layout.left + right) / 2,
                     layout.height - 12, escaped(plot.x_label));
  if (plot.compact)
    svg += fmt::format("<text x='4' y='14'>{}</text>\n", escaped(plot.y_label));
  else
    svg += fmt::format("<text transform='translate(18 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                       (layout.top + bottom) / 2, escaped(plot.y_label));
  return svg;
}

std::string error_bar(double x, double low, double high, std::string_view colour) {
  return fmt::format(
      "<path d='M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}H{4:.1f}M{3:.1f} {2:.1f}H{4:.1f}' stroke='{5}'/>\n",
      x, low, high, x - 3, x + 3, colour);
}

// The start of a line of the legend.
std::pair<double, double> place_in_legend(const Layout& layout, std::size_t number) {
  const double down = kLine * static_cast<double>(number);
  if (layout.legend > 0) return {layout.width + 4, layout.top + 10 + down};
  return {layout.left, layout.height + 4 + down};
}

std::string line(const PlotSeries& series, const Layout& layout, const Axis& x, const Axis& y,
                 std::size_t number) {
  const std::string_view colour = kColours[number % kColours.size()];
  const std::string_view dashes = kDashes[number / kColours.size() % kDashes.size()];
  std::string points, bars;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const auto& [px, py] = series.points[i];
    points += fmt::format("{:.1f},{:.1f} ", x.pixel(px), y.pixel(py));
    if (i < series.errors.size() && series.errors[i] > 0)
      bars += error_bar(x.pixel(px), y.pixel(py - series.errors[i]), y.pixel(py + series.errors[i]), colour);
  }
  const std::string stroke =
      fmt::format("stroke='{}' stroke-width='2' stroke-dasharray='{}'", colour, dashes);
  std::string svg = fmt::format("<polyline fill='none' {} points='{}'/>\n{}", stroke, points, bars);
  if (series.name.empty()) return svg;
  const auto [left, height] = place_in_legend(layout, number);
  return svg + fmt::format("<path d='M{} {}h24' {}/><text x='{}' y='{}'>{}</text>\n", left, height, stroke,
                           left + 30, height + 4, escaped(series.name));
}

// The range of the points and their error bars.
struct Extent {
  Range x, y;
};

Extent extent_of(const Plot& plot) {
  Extent extent;
  for (const PlotSeries& series : plot.series)
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const double error = i < series.errors.size() ? series.errors[i] : 0;
      extent.x.cover(series.points[i].first);
      extent.y.cover(series.points[i].second - error);
      extent.y.cover(series.points[i].second + error);
    }
  const auto& [x, y] = extent;
  if (!(x.low <= x.high) || !std::isfinite(x.high - x.low + y.high - y.low))
    fail("plot: there is no finite point to show");
  return extent;
}

// From 0 if the data come near it, otherwise with a margin around them; a logarithmic axis has neither.
Axis y_axis(Range y, const Layout& layout) {
  const bool logarithmic = y.low > 0 && y.high >= kDecade * y.low;
  if (!logarithmic && y.low >= 0 && y.low <= y.high / 4) {
    y.low = 0;
  } else if (!logarithmic) {
    const double margin = 0.05 * (y.high - y.low);
    y.low -= margin;
    y.high += margin;
  }
  return {y.low, y.high, layout.y_end(), layout.top, logarithmic};
}

}  // namespace

std::string to_svg(const Plot& plot) {
  const Layout& layout = plot.compact ? kCompact : kWide;
  const Extent extent = extent_of(plot);
  const Axis x(extent.x.low, extent.x.high, layout.left, layout.x_end(), plot.logarithmic_x);
  const Axis y = y_axis(extent.y, layout);
  const auto [left, legend_end] = place_in_legend(layout, plot.series.size());
  std::string svg = svg_start(layout.width + layout.legend,
                              std::max(layout.height, layout.legend > 0 ? legend_end + kLine : legend_end),
                              plot.title, layout.font);
  svg += frame(plot, layout, x, y);
  for (std::size_t number = 0; number < plot.series.size(); ++number)
    svg += line(plot.series[number], layout, x, y, number);
  return svg + "</svg>\n";
}

}  // namespace tulle
