// The style of SVG drawings, on paper and on dark screens.
#pragma once

#include "escaped.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace tulle {

// The colours of paper and text are those of a Page, which may contain the drawing.
inline constexpr std::string_view kSvgStyle =
    "<style>text{fill:#1d2430}.grid{stroke:#d5dbe3}.paper{fill:#fff}"
    "@media screen and "
    "(prefers-color-scheme:dark){text{fill:#e6e9ee}.grid{stroke:#39424e}.paper{fill:#14181d}}"
    "</style>\n";

// The beginning of a drawing, with its background. `label` is read aloud instead of it.
inline std::string svg_start(double width, double height, std::string_view label, double font_size = 12) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' role='img' "
      "aria-label='{2}' font-family='sans-serif' font-size='{3}'>\n{4}<rect width='{0}' height='{1}' "
      "class='paper'/>\n",
      width, height, escaped(label), font_size, kSvgStyle);
}

}  // namespace tulle
