#include "formats.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/write.hpp>

#include <algorithm>

namespace tulle {
namespace {

void check_holds(const FormatRow& row, const std::string& path, int order, bool lists_some) {
  const std::string_view shown = path == kStandard ? "standard output" : std::string_view(path);
  if (!row.lists_cells && lists_some)
    fail("{}: .{} holds every cell, but this tensor lists only some; write it as .npz or .tns", shown,
         row.name);
  if (row.only_matrices && order != 2)
    fail("{}: .{} holds matrices, not tensors of {} modes; write .tns", shown, row.name, order);
  if (!std::holds_alternative<ArchiveFormat>(row.file)) return;
  if (path == kStandard) fail_usage("{}: {} needs a file to seek in; name one", shown, row.name);
  if (ends_in_gz(path)) fail_usage("{}: {} is compressed already; remove .gz from the name", shown, row.name);
}

void write_rows(const FormatRow& row, const std::string& path, const Dataset& data,
                const std::vector<ValueColumn>& more) {
  if (!more.empty() && !row.has_columns())
    fail_usage("{}: {} has no column for {}; write .csv or .tsv", path, row.name, more.front().name);
  check_holds(row, path, data.shape().order(), std::holds_alternative<SparseTensor>(data.tensor));
  if (const auto* archive = std::get_if<ArchiveFormat>(&row.file)) return archive->write(path, data);
  Sink sink(path);
  std::get<StreamFormat>(row.file).write(sink, data, more);
  sink.commit();
}

// ---- Modes whose positions have numbers of their own ----

std::vector<Index> position_numbers(const Mode& mode) {
  std::vector<Index> numbers;
  for (const std::string& label : mode.labels) {
    const auto number = parse_number<std::uint64_t>(label);
    if (!number || *number < 1 || *number > kMaxDimension)
      fail("'{}' of mode {} is no number of a position; write .csv", label, mode.name);
    numbers.push_back(static_cast<Index>(*number - 1));
  }
  return numbers;
}

bool has_gaps(const Mode& mode) {
  if (!mode.numbered) return false;
  const std::vector<Index> numbers = position_numbers(mode);
  for (std::size_t place = 0; place < numbers.size(); ++place)
    if (numbers[place] != place) return true;
  return false;
}

// For formats that name positions by numbers: with gaps where the numbers have some.
Dataset at_own_numbers(const Dataset& data) {
  const auto* sparse = std::get_if<SparseTensor>(&data.tensor);
  const SparseTensor listed = sparse ? *sparse : observed(data);
  std::vector<std::uint64_t> sizes(data.shape().dimensions().begin(), data.shape().dimensions().end());
  std::vector<std::vector<Index>> columns;
  for (std::size_t mode = 0; mode < sizes.size(); ++mode) {
    const auto places = listed.column(static_cast<int>(mode));
    columns.emplace_back(places.begin(), places.end());
    if (!has_gaps(data.modes[mode])) continue;
    const std::vector<Index> numbers = position_numbers(data.modes[mode]);
    for (Index& position : columns.back())
      if (position < numbers.size()) position = numbers[position];
    sizes[mode] = std::uint64_t{std::ranges::max(numbers)} + 1;
  }
  return {data.modes, SparseTensor(Cells(Shape(sizes), std::move(columns)),
                                   {listed.values().begin(), listed.values().end()}, listed.unlisted())};
}

}  // namespace

void check_lists_cells(const std::string& path, int order) {
  check_holds(row_of(format_of(path)), path, order, true);
}

void write(const std::string& path, const Dataset& data, std::optional<Format> format,
           const std::vector<ValueColumn>& more) {
  const FormatRow& row = row_of(format ? *format : format_of(path));
  if (row.naming == Naming::numbers && std::ranges::any_of(data.modes, has_gaps))
    return write_rows(row, path, at_own_numbers(data), more);
  write_rows(row, path, data, more);
}

void write_text(const std::string& path, std::string_view text) {
  Sink sink(path);
  sink.write(text);
  sink.commit();
}

}  // namespace tulle
