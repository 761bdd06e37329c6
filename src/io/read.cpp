#include "formats.hpp"
#include "memory.hpp"
#include "text/lines.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/data/public_positions.hpp>
#include <tulle/io/read.hpp>
#include <tulle/tensor/number_of_events.hpp>

#include <algorithm>

namespace tulle {
namespace {

// The libraries that read archives need a file in which they can seek.
void check_archive(const std::string& path, std::string_view format) {
  if (path == kStandard) fail_usage("standard input: {} needs a file to seek in; save it to one", format);
  if (ends_in_gz(path))
    fail("{}: {} is compressed already and not read through gzip; run gunzip on it", path, format);
}

Dataset read_rows(const std::string& path, const ReadOptions& options) {
  if (is_in_memory(path)) return read_in_memory(path, options);
  const FormatRow& row = row_of(format_of(path, options));
  if (const auto* archive = std::get_if<ArchiveFormat>(&row.file)) {
    check_archive(path, row.name);
    return archive->read(path, options);
  }
  Source source(path);
  return std::get<StreamFormat>(row.file).read(source, options);
}

// ---- Known modes whose labels are numbers of positions ----

bool is_known_by_numbers(const Mode& mode) {
  return mode.numbered && !mode.labels.empty();
}

// For formats without labels, such a mode accepts any position, since its numbers may have gaps. In CSV the
// numbers are labels like any other.
ReadOptions without_numbers(const std::string& path, const ReadOptions& options) {
  ReadOptions open = options;
  if (!is_in_memory(path) && traits(format_of(path, options)).has_columns()) return open;
  for (Mode& mode : open.known)
    if (is_known_by_numbers(mode)) mode = {.name = mode.name, .any = true};
  return open;
}

// Moves positions to the places of their numbers in the known mode.
void place_numbers(const std::string& path, const ReadOptions& options, int mode, Dataset& data) {
  const Mode& known = options.known[static_cast<std::size_t>(mode)];
  number_by_name(data, mode, known.labels);
  Mode& placed = data.modes[static_cast<std::size_t>(mode)];
  placed.any = false;
  placed.numbered = true;
  if (options.grow || placed.labels.size() == known.labels.size()) return;
  const std::string& label = placed.labels[known.labels.size()];
  const auto number = parse_number<std::uint64_t>(label);
  fail("{}: position {} of {} is not a known one; remove its cells, or let new ones be added", path,
       number && is_in_memory(path) ? fmt::format("{}", *number - 1) : label, known.name);
}

void place_numbers(const std::string& path, const ReadOptions& options, Dataset& data) {
  for (std::size_t mode = 0; mode < options.known.size(); ++mode)
    if (is_known_by_numbers(options.known[mode])) place_numbers(path, options, static_cast<int>(mode), data);
}

CellList read_listed_cells(const std::string& path, const ReadOptions& options) {
  if (is_in_memory(path)) return read_cells_in_memory(path, options);
  const auto* stream = std::get_if<StreamFormat>(&row_of(format_of(path, options)).file);
  if (stream && stream->read_cells) {
    Source source(path);
    return stream->read_cells(source, options);
  }
  Dataset data = read_rows(path, options);
  return {std::move(data.modes), observed(data).cells()};
}

void check_events(const std::string& path, const Dataset& data) {
  std::visit(
      [&](const auto& tensor) {
        for (const auto value : tensor.values())
          if (!is_number_of_events(value))
            fail("{}: {} is no number of events; it must be a whole number, 0 or more", path, value);
      },
      data.tensor);
}

}  // namespace

Dataset read(const std::string& path, const ReadOptions& options) {
  Dataset data = read_rows(path, without_numbers(path, options));
  place_numbers(path, options, data);
  if (options.of_events) check_events(path, data);
  merge_duplicates(data, options.duplicates, path == kStandard ? "standard input" : path,
                   options.clamp_to_float32);
  return data;
}

std::vector<std::string> read_lines(const std::string& path) {
  std::vector<std::string> lines;
  for_each_line(path, [&](std::string_view line) {
    if (!line.empty()) lines.emplace_back(line);
  });
  return lines;
}

CellList read_cells(const std::string& path, const ReadOptions& options) {
  CellList list = read_listed_cells(path, without_numbers(path, options));
  if (std::ranges::none_of(options.known, is_known_by_numbers)) return list;
  std::vector<float> none(list.cells.size());
  Dataset data{std::move(list.modes),
               SparseTensor(std::move(list.cells), std::move(none), Unlisted::missing)};
  place_numbers(path, options, data);
  return {std::move(data.modes), observed(data).cells()};
}

}  // namespace tulle
