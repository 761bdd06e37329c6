#include "text_parts.hpp"

#include <tulle/base/error.hpp>
#include <tulle/report/heat_map.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace tulle {
namespace {

TEST(HeatMap, HasACellForEveryValueWithTheColourOfItsSign) {
  const std::string svg = to_svg(HeatMap{"t", {"1"}, "film", {{-2, 0, 1}}});
  EXPECT_EQ(count(svg, "<rect x="), 3u);
  EXPECT_EQ(count(svg, "fill='#d1495b' fill-opacity='1.00'"), 1u);
  EXPECT_EQ(count(svg, "fill='#2a7fc4' fill-opacity='0.50'"), 1u);
  EXPECT_EQ(count(svg, "fill-opacity='0.00'"), 1u);
}

TEST(HeatMap, AveragesLongRows) {
  std::vector<double> row(1000);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i % 2 == 0 ? 1 : -1;
  row[999] = 1000;
  const std::string svg = to_svg(HeatMap{"t", {}, "", {row}});
  EXPECT_EQ(count(svg, "<rect x="), 64u);
  EXPECT_EQ(count(svg, "fill-opacity='1.00'"), 1u);  // the last cell alone stands out
}

TEST(HeatMap, OfZerosIsEmptyPaper) {
  EXPECT_EQ(count(to_svg(HeatMap{"t", {}, "", {{0, 0}}}), "fill-opacity='0.00'"), 2u);
}

TEST(HeatMap, RefusesWhatCannotBeShown) {
  EXPECT_THROW(to_svg(HeatMap{}), Error);
  EXPECT_THROW(to_svg(HeatMap{"t", {}, "", {{}}}), Error);
  EXPECT_THROW(to_svg(HeatMap{"t", {}, "", {{1, 2}, {1}}}), Error);
  EXPECT_THROW(to_svg(HeatMap{"t", {}, "", {{INFINITY}}}), Error);
}

}  // namespace
}  // namespace tulle
