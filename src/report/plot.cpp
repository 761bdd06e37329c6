#include "escaped.hpp"

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

constexpr double kWidth = 640, kHeight = 400, kLeft = 70, kRight = 20, kTop = 40, kBottom = 50;
constexpr std::array<std::string_view, 6> kColours = {"#1b6ca8", "#d1495b", "#2e8b57",
                                                      "#8a5a9e", "#c77d0a", "#555555"};

// One axis: from data to pixels, and where its ticks are.
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

  std::vector<double> decades() const {
    std::vector<double> result;
    for (double power = std::ceil(std::log10(low_)); power <= std::log10(high_) + 1e-9; ++power)
      result.push_back(std::pow(10, power));
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

std::string frame(const Plot& plot, const Axis& x, const Axis& y) {
  const double bottom = kHeight - kBottom, right = kWidth - kRight;
  std::string svg;
  for (double tick : x.ticks())
    svg += fmt::format(
        "<line x1='{0:.1f}' y1='{1}' x2='{0:.1f}' y2='{2}' stroke='#ddd'/><text x='{0:.1f}' y='{3}' "
        "text-anchor='middle'>{4:g}</text>\n",
        x.pixel(tick), kTop, bottom, bottom + 18, tick);
  for (double tick : y.ticks())
    svg += fmt::format(
        "<line x1='{1}' y1='{0:.1f}' x2='{2}' y2='{0:.1f}' stroke='#ddd'/><text x='{3}' y='{0:.1f}' "
        "text-anchor='end' dy='4'>{4:g}</text>\n",
        y.pixel(tick), kLeft, right, kLeft - 6, tick);
  svg += fmt::format("<text x='{}' y='24' text-anchor='middle' font-size='15'>{}</text>\n", kWidth / 2,
                     escaped(plot.title));
  svg += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", (kLeft + right) / 2,
                     kHeight - 12, escaped(plot.x_label));
  svg += fmt::format("<text transform='translate(18 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                     (kTop + bottom) / 2, escaped(plot.y_label));
  return svg;
}

std::string line(const PlotSeries& series, const Axis& x, const Axis& y, std::size_t number) {
  const std::string_view colour = kColours[number % kColours.size()];
  std::string points;
  for (const auto& [px, py] : series.points)
    points += fmt::format("{:.1f},{:.1f} ", x.pixel(px), y.pixel(py));
  std::string svg =
      fmt::format("<polyline fill='none' stroke='{}' stroke-width='2' points='{}'/>\n", colour, points);
  if (!series.name.empty())
    svg += fmt::format("<text x='{}' y='{}' fill='{}'>{}</text>\n", kLeft + 10, kTop + 18 + 16 * number,
                       colour, escaped(series.name));
  return svg;
}

}  // namespace

std::string to_svg(const Plot& plot) {
  Range xs, ys;
  ys.cover(0);
  for (const PlotSeries& series : plot.series)
    for (const auto& [x, y] : series.points) {
      xs.cover(x);
      ys.cover(y);
    }
  if (!(xs.low <= xs.high) || !std::isfinite(xs.high - xs.low + ys.high - ys.low))
    fail("plot: there is no finite point to show");
  const Axis x(xs.low, xs.high, kLeft, kWidth - kRight, plot.logarithmic_x);
  const Axis y(ys.low, ys.high, kHeight - kBottom, kTop, false);
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
      "font-family='sans-serif' font-size='12'>\n"
      "<rect width='{0}' height='{1}' fill='white'/>\n",
      kWidth, kHeight);
  svg += frame(plot, x, y);
  for (std::size_t number = 0; number < plot.series.size(); ++number)
    svg += line(plot.series[number], x, y, number);
  return svg + "</svg>\n";
}

}  // namespace tulle
