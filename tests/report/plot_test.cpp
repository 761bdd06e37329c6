#include "text_parts.hpp"

#include <tulle/base/error.hpp>
#include <tulle/report/plot.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace tulle {
namespace {

Plot plot_of(std::vector<std::pair<double, double>> points, bool logarithmic = false) {
  return {"Cost & <gain>", "steps", "epsilon", logarithmic, {{"delta", std::move(points)}}};
}

TEST(Plot, DrawsItsLineFromCornerToCorner) {
  const std::string svg = to_svg(plot_of({{0, 0}, {10, 5}}));
  EXPECT_TRUE(has(svg, "points='70.0,350.0 620.0,40.0 '")) << svg;
  EXPECT_TRUE(has(svg, ">10</text>"));
}

TEST(Plot, PutsDecadesAtEqualDistances) {
  const std::string svg = to_svg(plot_of({{1, 1}, {10, 1}, {100, 2}}, true));
  EXPECT_TRUE(has(svg, "345.0,")) << svg;  // the middle of the axis
}

TEST(Plot, AxesFitTheData) {
  const std::string near = to_svg(plot_of({{0, 0.93}, {1, 1.07}}));
  EXPECT_TRUE(has(near, ">0.95</text>")) << near;
  const std::string far = to_svg(plot_of({{0, 0.01}, {1, 1}}));
  EXPECT_TRUE(has(far, ">0.1</text>") && has(far, ">0.05</text>")) << far;  // logarithmic
}

TEST(Plot, EveryCurveHasALookOfItsOwnAndALineInTheLegend) {
  Plot plot{"t", "x", "y", false, {}};
  for (int i = 0; i < 20; ++i) plot.series.push_back({std::to_string(i), {{0, i}, {1, i}}});
  const std::string svg = to_svg(plot);
  std::set<std::string> looks;
  for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1))
    looks.insert(svg.substr(at, svg.find(" points", at) - at));
  EXPECT_EQ(looks.size(), 20);
  EXPECT_TRUE(has(svg, ">19</text>"));
}

TEST(Plot, ErrorBarsAreWithinTheAxes) {
  Plot plot = plot_of({{0, 10}, {1, 10}});
  plot.series.front().errors = {0, 5};
  EXPECT_TRUE(has(to_svg(plot), "<path d='M620.0 335.9V54.1"));
}

TEST(Plot, IsReadableOnDarkScreens) {
  EXPECT_TRUE(has(to_svg(plot_of({{0, 1}, {1, 1}})), "prefers-color-scheme:dark"));
}

TEST(Plot, EscapesWhatMeansSomethingToSvg) {
  EXPECT_TRUE(has(to_svg(plot_of({{0, 1}, {1, 1}})), "Cost &amp; &lt;gain&gt;"));
}

TEST(Plot, IsNarrowWhenCompactWithItsLegendBelow) {
  Plot plot = plot_of({{0, 0}, {10, 5}});
  plot.compact = true;
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(has(svg, "viewBox='0 0 400 ")) << svg;
  EXPECT_TRUE(has(svg, "points='66.0,226.0 386.0,28.0 '")) << svg;
  EXPECT_TRUE(has(svg, "aria-label='Cost &amp; &lt;gain&gt;'"));
  EXPECT_FALSE(has(svg, ">Cost &amp; &lt;gain&gt;</text>"));
  EXPECT_TRUE(has(svg, "y='278'>delta</text>")) << svg;
}

TEST(Plot, ShowsASinglePoint) {
  EXPECT_FALSE(has(to_svg(plot_of({{3, 0}})), "nan"));
}

TEST(Plot, RefusesWhatCannotBeShown) {
  EXPECT_THROW(to_svg(plot_of({})), Error);
  EXPECT_THROW(to_svg(plot_of({{0, INFINITY}})), Error);
  EXPECT_THROW(to_svg(plot_of({{0, 1}}, true)), Error);
}

}  // namespace
}  // namespace tulle
