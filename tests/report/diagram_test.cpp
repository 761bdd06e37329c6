#include "text_parts.hpp"

#include <tulle/report/diagram.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Diagram, HasABoxForEachTextAndALineForEachPair) {
  const std::string svg = to_svg(
      {"A <study>", {{"Entities", {"user", "place"}}, {"Factors", {"U", "P", "G"}}}, {{0, 0, 0}, {0, 1, 1}}});
  EXPECT_EQ(count(svg, "rx='6'"), 5u);
  EXPECT_EQ(count(svg, "<path"), 2u);
  EXPECT_NE(svg.find("A &lt;study&gt;"), std::string::npos);
  EXPECT_NE(svg.find(">place</text>"), std::string::npos);
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

}  // namespace
}  // namespace tulle
