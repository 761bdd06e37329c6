#include "binary/binary.hpp"
#include "memory.hpp"
#include "source.hpp"
#include "text/formats.hpp"
#include "text/lines.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read.hpp>

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

}  // namespace

Dataset read(const std::string& path, const ReadOptions& options) {
  Dataset data = read_rows(path, options);
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

}  // namespace tulle
