#include "../memory.hpp"
#include "text/csv_rows.hpp"
#include "text/line_fields.hpp"
#include "text/lines.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/list.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr std::string_view kTables[] = {".csv", ".tsv", ".csv.gz", ".tsv.gz"};

std::optional<std::size_t> place_of(std::string_view name, std::span<const Field> fields) {
  const auto found = std::ranges::find(fields, name, &Field::text);
  return found == fields.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(found - fields.begin()));
}

// The column of the list, and whether the first line names it.
struct ListLayout {
  std::size_t columns, column;
  bool header;
};

ListLayout layout_of(std::span<const Field> first, const ListFile& list, std::string_view mode) {
  if (!list.column.empty()) {
    if (const auto place = place_of(list.column, first)) return {first.size(), *place, true};
    fail("{}: the first line names no column '{}'; name one of its columns", list.path, list.column);
  }
  if (const auto place = mode.empty() ? std::nullopt : place_of(mode, first))
    return {first.size(), *place, true};
  if (first.size() == 1) return {1, 0, false};
  fail("{}: {} columns, and the first line calls none of them '{}'; name the column, as in {}:COLUMN",
       list.path, first.size(), mode, list.path);
}

std::vector<std::string> read_table_column(const ListFile& list, std::string_view mode) {
  std::vector<std::string> labels;
  std::optional<ListLayout> layout;
  LineFields fields(separator_of_list(list.path));
  std::size_t number = 0;
  for_each_line(list.path, [&](std::string_view line) {
    ++number;
    if (line.empty()) return;
    const auto found = fields.of(line);
    if (!fields.fault().empty()) fail("{}:{}: {}", list.path, number, fields.fault());
    const bool first = !layout;
    if (first) layout = layout_of(found, list, mode);
    if (found.size() != layout->columns)
      fail("{}:{}: {} columns, but the first line has {}; correct the line", list.path, number, found.size(),
           layout->columns);
    if (!first || !layout->header) labels.emplace_back(found[layout->column].text);
  });
  return labels;
}

// A label per line, in quotes if a program put it there.
std::vector<std::string> read_plain_list(const std::string& path, std::string_view mode) {
  std::vector<std::string> labels;
  LineFields fields(',');
  for (std::string& line : read_lines(path)) {
    if (line.starts_with('"'))
      if (const auto found = fields.of(line); fields.fault().empty() && found.size() == 1)
        line = found.front().text;
    labels.push_back(std::move(line));
  }
  if (labels.size() > 1 && labels.front() == mode) labels.erase(labels.begin());
  return labels;
}

}  // namespace

bool ends_like_a_table(std::string_view path) {
  return std::ranges::any_of(kTables, [&](std::string_view ending) { return path.ends_with(ending); });
}

char separator_of_list(std::string_view path) {
  return path.ends_with(".tsv") || path.ends_with(".tsv.gz") ? '\t' : ',';
}

ListFile list_file(std::string_view text) {
  for (const std::string_view ending : kTables) {
    const std::string before = std::string(ending) + ':';
    const std::size_t at = text.rfind(before);
    if (at != text.npos && at + before.size() < text.size())
      return {std::string(text.substr(0, at + ending.size())), std::string(text.substr(at + before.size()))};
  }
  return {std::string(text), ""};
}

std::vector<std::string> read_list(const ListFile& list, std::string_view mode) {
  if (is_in_memory(list.path)) return read_lines(list.path);
  return ends_like_a_table(list.path) ? read_table_column(list, mode) : read_plain_list(list.path, mode);
}

std::vector<ColumnBounds> read_column_bounds(const std::string& path) {
  std::vector<ColumnBounds> all;
  LineFields fields(separator_of_list(path));
  std::size_t number = 0;
  for_each_line(path, [&](std::string_view line) {
    ++number;
    if (line.empty()) return;
    const auto found = fields.of(line);
    if (!fields.fault().empty()) fail("{}:{}: {}", path, number, fields.fault());
    if (found.size() != 3) fail("{}:{}: {} fields; write column,low,high", path, number, found.size());
    if (number == 1 && found[1].text == "low" && found[2].text == "high") return;
    const auto low = parse_number<double>(found[1].text), high = parse_number<double>(found[2].text);
    if (!low || !high || !(*low < *high) || !std::isfinite(*high - *low))
      fail("{}:{}: '{}' to '{}' are no bounds; write column,low,high with low < high", path, number,
           found[1].text, found[2].text);
    all.push_back({std::string(found[0].text), *low, *high});
  });
  return all;
}

}  // namespace tulle
