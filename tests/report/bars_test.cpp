#include <tulle/base/error.hpp>
#include <tulle/report/bars.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace tulle {
namespace {

Bars two_bars() {
  return {.title = "Shares & 'so on'", .bars = {{"one", 0, 0.5, "half"}, {"<two>", 0.5, 1, "rest"}}};
}

TEST(Bars, AreAsLongAsTheirValues) {
  const std::string svg = to_svg(two_bars());
  const std::string first = svg.substr(svg.find("rx='2'") - 60, 60),
                    second = svg.substr(svg.rfind("rx='2'") - 60, 60);
  const auto width = [](const std::string& rect) { return std::stod(rect.substr(rect.find("width='") + 7)); };
  EXPECT_NEAR(width(first), width(second), 0.11);
  EXPECT_GT(width(first), 50);
}

TEST(Bars, AreReadAloudByTheirTitleAndEscape) {
  const std::string svg = to_svg(two_bars());
  EXPECT_NE(svg.find("role='img' aria-label='Shares &amp; &#39;so on&#39;'"), std::string::npos) << svg;
  EXPECT_NE(svg.find("&lt;two&gt;"), std::string::npos);
}

TEST(Bars, RefuseWhatCannotBeShown) {
  EXPECT_THROW(to_svg(Bars{}), Error);
  EXPECT_THROW(to_svg(Bars{.bars = {{"a", 0, std::nan(""), ""}}}), Error);
}

}  // namespace
}  // namespace tulle
