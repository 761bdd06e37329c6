#include <tulle/base/error.hpp>
#include <tulle/report/plot.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

Plot plot_of(std::vector<std::pair<double, double>> points, bool logarithmic = false) {
  return {"Cost & <gain>", "steps", "epsilon", logarithmic, {{"delta", std::move(points)}}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Plot, DrawsItsLineFromCornerToCorner) {
  const std::string svg = to_svg(plot_of({{0, 0}, {10, 5}}));
  EXPECT_TRUE(has(svg, "points='70.0,350.0 620.0,40.0 '")) << svg;
  EXPECT_TRUE(has(svg, ">10</text>"));
}

TEST(Plot, PutsDecadesAtEqualDistances) {
  const std::string svg = to_svg(plot_of({{1, 1}, {10, 1}, {100, 2}}, true));
  EXPECT_TRUE(has(svg, "345.0,195.0")) << svg;  // the middle of the axis
}

TEST(Plot, EscapesWhatMeansSomethingToSvg) {
  EXPECT_TRUE(has(to_svg(plot_of({{0, 1}, {1, 1}})), "Cost &amp; &lt;gain&gt;"));
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
