// Boxes in columns connected by lines, as SVG: the relations of a study and the factors they share.
#pragma once

#include <string>
#include <vector>

namespace tulle {

struct Diagram {
  struct Column {
    std::string heading;
    std::vector<std::string> boxes;
  };
  struct Line {  // from a box of a column to one of the next
    std::size_t column, from, to;
  };
  std::string title;
  std::vector<Column> columns;
  std::vector<Line> lines;
};

std::string to_svg(const Diagram& diagram);

}  // namespace tulle
