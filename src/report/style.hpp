// How SVG drawings look on paper and on dark screens.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace tulle {

inline constexpr std::string_view kSvgStyle =
    "<style>text{fill:#222}.grid{stroke:#ddd}.paper{fill:#fff}"
    "@media (prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.paper{fill:#161616}}</style>\n";

// The beginning of a drawing, with its paper.
inline std::string svg_start(double width, double height) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
      "font-family='sans-serif' font-size='12'>\n{2}<rect width='{0}' height='{1}' class='paper'/>\n",
      width, height, kSvgStyle);
}

}  // namespace tulle
