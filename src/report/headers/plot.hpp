// A line plot as SVG: axes that fit the data, ticks, one line per series and a legend. Readable in print and
// on dark screens.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tulle {

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // finite, in the order in which they are joined
  std::vector<double> errors = {};                // half the length of each point's error bar; empty: none
};

struct Plot {
  std::string title, x_label, y_label;
  bool logarithmic_x = false;
  std::vector<PlotSeries> series;
  bool compact =
      false;  // for a page read on a phone too: narrow, without a title, the legend below, the y label on top
};

// The y axis is logarithmic if all values are above 0 and span a decade. An Error if there is no point.
std::string to_svg(const Plot& plot);

}  // namespace tulle
