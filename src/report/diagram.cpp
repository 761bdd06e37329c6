#include "escaped.hpp"
#include "style.hpp"

#include <tulle/report/diagram.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr double kBoxHeight = 28, kRowHeight = 44, kGap = 90, kMargin = 20, kTitleHeight = 60, kLetter = 7.2;

struct Placed {
  double left, width;
  std::vector<double> middles;  // of the boxes, from the top
};

// Columns as wide as their longest text, with boxes centred vertically.
std::vector<Placed> place(const Diagram& diagram, double height) {
  std::vector<Placed> columns;
  double left = kMargin;
  for (const Diagram::Column& column : diagram.columns) {
    std::size_t longest = column.heading.size();
    for (const std::string& box : column.boxes) longest = std::max(longest, box.size());
    Placed placed{left, 24 + kLetter * static_cast<double>(longest), {}};
    const double used = kRowHeight * static_cast<double>(column.boxes.size());
    const double top = kTitleHeight + (height - kTitleHeight - kMargin - used) / 2;
    for (std::size_t i = 0; i < column.boxes.size(); ++i)
      placed.middles.push_back(top + kRowHeight * (static_cast<double>(i) + 0.5));
    left += placed.width + kGap;
    columns.push_back(std::move(placed));
  }
  return columns;
}

std::string box(const Placed& column, std::size_t number, const std::string& text) {
  const double middle = column.middles[number];
  return fmt::format(
      "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' rx='6' class='paper' stroke='#2a7fc4'/>"
      "<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n",
      column.left, middle - kBoxHeight / 2, column.width, kBoxHeight, column.left + column.width / 2,
      middle + 4, escaped(text));
}

}  // namespace

std::string to_svg(const Diagram& diagram) {
  std::size_t most = 1;
  for (const Diagram::Column& column : diagram.columns) most = std::max(most, column.boxes.size());
  const double height = kTitleHeight + kMargin + kRowHeight * static_cast<double>(most);
  const std::vector<Placed> columns = place(diagram, height);
  const double width = columns.empty() ? 2 * kMargin : columns.back().left + columns.back().width + kMargin;
  std::string svg = svg_start(width, height, diagram.title);
  svg += fmt::format("<text x='{}' y='24' font-size='15'>{}</text>\n", kMargin, escaped(diagram.title));
  for (const Diagram::Line& line : diagram.lines) {
    const Placed &from = columns[line.column], &to = columns[line.column + 1];
    svg += fmt::format("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke='#7a7a7a'/>\n", from.left + from.width,
                       from.middles[line.from], to.left, to.middles[line.to]);
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    svg += fmt::format("<text x='{:.1f}' y='50' text-anchor='middle' font-weight='bold'>{}</text>\n",
                       columns[c].left + columns[c].width / 2, escaped(diagram.columns[c].heading));
    for (std::size_t i = 0; i < diagram.columns[c].boxes.size(); ++i)
      svg += box(columns[c], i, diagram.columns[c].boxes[i]);
  }
  return svg + "</svg>\n";
}

}  // namespace tulle
