#include "style.hpp"

#include <tulle/base/error.hpp>
#include <tulle/report/heat_map.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kMapWidth = 400, kMapLeft = 56, kMapRight = 8, kMapTop = 4, kMapRow = 18, kMapBottom = 26;
constexpr std::size_t kMostColumns = 64;

std::vector<double> averaged(const std::vector<double>& row) {
  const std::size_t columns = std::min(row.size(), kMostColumns);
  std::vector<double> result(columns);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t begin = column * row.size() / columns, end = (column + 1) * row.size() / columns;
    for (std::size_t i = begin; i < end; ++i) result[column] += row[i] / static_cast<double>(end - begin);
  }
  return result;
}

}  // namespace

std::string to_svg(const HeatMap& map) {
  std::vector<std::vector<double>> rows;
  double largest = 0;
  for (const std::vector<double>& row : map.rows) {
    if (row.empty() || row.size() != map.rows.front().size()) fail("heat map: rows of different lengths");
    rows.push_back(averaged(row));
    for (double value : rows.back()) {
      if (!std::isfinite(value)) fail("heat map: a cell is not finite");
      largest = std::max(largest, std::abs(value));
    }
  }
  if (rows.empty()) fail("heat map: there is no cell to show");
  const double bottom = kMapTop + kMapRow * static_cast<double>(rows.size());
  const double cell = (kMapWidth - kMapLeft - kMapRight) / static_cast<double>(rows.front().size());
  std::string svg = svg_start(kMapWidth, bottom + kMapBottom, map.title, 13);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double top = kMapTop + kMapRow * static_cast<double>(r);
    if (r < map.row_labels.size())
      svg += fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", kMapLeft - 6, top + 13,
                         escaped(map.row_labels[r]));
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      svg += fmt::format(
          "<rect x='{:.2f}' y='{:.1f}' width='{:.2f}' height='{}' fill='{}' fill-opacity='{:.2f}'/>",
          kMapLeft + cell * static_cast<double>(c), top, cell, kMapRow - 1,
          rows[r][c] < 0 ? "#d1495b" : "#2a7fc4", largest > 0 ? std::abs(rows[r][c]) / largest : 0);
    svg += '\n';
  }
  svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n",
                     (kMapLeft + kMapWidth - kMapRight) / 2, bottom + 18, escaped(map.x_label));
  return svg + "</svg>\n";
}

}  // namespace tulle
