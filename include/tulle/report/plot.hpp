// A line plot as SVG: axes, ticks, one line a series. For reports and for the command's --plot.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tulle {

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // finite, in the order they are joined
};

struct Plot {
  std::string title, x_label, y_label;
  bool logarithmic_x = false;
  std::vector<PlotSeries> series;
};

std::string to_svg(const Plot& plot);  // an Error when there is no point to show

}  // namespace tulle
