// A matrix as coloured cells, as SVG: blue above 0, red below, stronger for larger values. Long rows are
// shown as averages over neighbouring columns.
#pragma once

#include <string>
#include <vector>

namespace tulle {

struct HeatMap {
  std::string title;                      // read aloud instead of the drawing
  std::vector<std::string> row_labels;    // one per row, or none
  std::string x_label;                    // below the columns
  std::vector<std::vector<double>> rows;  // of one length
};

// An Error if there is no cell, or a cell is not finite.
std::string to_svg(const HeatMap& map);

}  // namespace tulle
