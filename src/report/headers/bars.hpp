// Labelled horizontal bars as SVG, each from one value to another.
#pragma once

#include <string>
#include <vector>

namespace tulle {

struct Bars {
  struct Bar {
    std::string label;
    double from = 0, to = 0;
    std::string text;  // at its end
  };
  std::string title;         // read aloud instead of the drawing
  double low = 0, high = 1;  // of the axis
  std::vector<Bar> bars;
};

// An Error if there is no bar, or a bar is not finite.
std::string to_svg(const Bars& bars);

}  // namespace tulle
