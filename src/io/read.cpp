#include "binary/binary.hpp"
#include "memory.hpp"
#include "source.hpp"
#include "text/formats.hpp"
#include "text/lines.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/data/public_positions.hpp>
#include <tulle/io/read.hpp>

#include <algorithm>

namespace tulle {
namespace {

// Archives are opened by their libraries, which seek in them.
void check_archive(const std::string& path, Format format) {
  if (path == kStandard)
    fail_usage("standard input: {} needs a file to seek in; save it to one", name(format));
  if (ends_in_gz(path))
    fail("{}: {} is compressed already and not read through gzip; run gunzip on it", path, name(format));
}

Dataset read_rows(const std::string& path, const ReadOptions& options) {
  if (is_in_memory(path)) return read_in_memory(path, options);
  const Format format = format_of(path, options);
  if (format == Format::npz || format == Format::mat) {
    check_archive(path, format);
    return format == Format::npz ? read_npz(path, options) : read_mat(path, options);
  }
  Source source(path);
  switch (format) {
    case Format::csv:
      return read_csv(source, ',', options);
    case Format::tsv:
      return read_csv(source, '\t', options);
    case Format::mtx:
      return read_mtx(source, options);
    case Format::npy:
      return read_npy(source, options);
    default:
      return read_tns(source, options);
  }
}

// ---- Known modes whose labels are numbers of positions ----

bool is_known_by_numbers(const Mode& mode) {
  return mode.numbered && !mode.labels.empty();
}

// Formats without labels are read as if such a mode could be at any position, since numbers may have gaps. In
// CSV the numbers are labels like any other.
ReadOptions without_numbers(const std::string& path, const ReadOptions& options) {
  ReadOptions open = options;
  const Format format = is_in_memory(path) ? Format::tns : format_of(path, options);
  if (format == Format::csv || format == Format::tsv) return open;
  for (Mode& mode : open.known)
    if (is_known_by_numbers(mode)) mode = {.name = mode.name, .any = true};
  return open;
}

// Moves positions to where the known mode has their numbers.
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
  const Format format = format_of(path, options);
  switch (format) {
    case Format::tns: {
      Source source(path);
      return read_tns_cells(source, options);
    }
    case Format::csv:
    case Format::tsv: {
      Source source(path);
      return read_csv_cells(source, format == Format::csv ? ',' : '\t', options);
    }
    case Format::mtx: {
      Source source(path);
      return read_mtx_cells(source, options);
    }
    default: {
      Dataset data = read_rows(path, options);
      return {std::move(data.modes), observed(data).cells()};
    }
  }
}

}  // namespace

Dataset read(const std::string& path, const ReadOptions& options) {
  Dataset data = read_rows(path, without_numbers(path, options));
  place_numbers(path, options, data);
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
