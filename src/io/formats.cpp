#include "formats.hpp"

#include "binary/binary.hpp"
#include "memory.hpp"
#include "text/formats.hpp"

#include <tulle/base/error.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

template <char separator>
constexpr StreamFormat kColumns{
    [](Source& source, const ReadOptions& options) { return read_csv(source, separator, options); },
    [](Sink& sink, const Dataset& data, const std::vector<ValueColumn>& more) {
      write_csv(sink, separator, data, more);
    },
    [](Source& source, const ReadOptions& options) { return read_csv_cells(source, separator, options); }};

constexpr StreamFormat kTns{
    [](Source& source, const ReadOptions& options) { return read_tns(source, options); },
    [](Sink& sink, const Dataset& data, const std::vector<ValueColumn>&) { write_tns(sink, data); },
    [](Source& source, const ReadOptions& options) { return read_tns_cells(source, options); }};

constexpr StreamFormat kMtx{
    [](Source& source, const ReadOptions& options) { return read_mtx(source, options); },
    [](Sink& sink, const Dataset& data, const std::vector<ValueColumn>&) { write_mtx(sink, data); },
    [](Source& source, const ReadOptions& options) { return read_mtx_cells(source, options); }};

constexpr StreamFormat kNpy{
    [](Source& source, const ReadOptions& options) { return read_npy(source, options); },
    [](Sink& sink, const Dataset& data, const std::vector<ValueColumn>&) { write_npy(sink, data); }};

constexpr Naming kNumbers = Naming::numbers, kLabels = Naming::labels, kEither = Naming::either;

// In the order of the enumeration: {format, name, naming, states_shape}, lists_cells, only_matrices,
// functions.
constexpr std::array kRows{
    FormatRow{{Format::tns, "tns", kNumbers, false}, true, false, kTns},
    FormatRow{{Format::csv, "csv", kLabels, false}, true, false, kColumns<','>},
    FormatRow{{Format::tsv, "tsv", kLabels, false}, true, false, kColumns<'\t'>},
    FormatRow{{Format::mtx, "mtx", kNumbers, true}, true, true, kMtx},
    FormatRow{{Format::npy, "npy", kNumbers, true}, false, false, kNpy},
    FormatRow{{Format::npz, "npz", kEither, true}, true, false, ArchiveFormat{read_npz, write_npz}},
    FormatRow{{Format::mat, "mat", kNumbers, true}, true, false, ArchiveFormat{read_mat, write_mat}}};

void refuse_tables_of_others(const std::string& path) {
  constexpr std::pair<std::string_view, std::string_view> kReaders[] = {{".parquet", "read_parquet"},
                                                                        {".feather", "read_feather"},
                                                                        {".xlsx", "read_excel"},
                                                                        {".xls", "read_excel"},
                                                                        {".ods", "read_excel"}};
  for (const auto& [ending, reader] : kReaders)
    if (path.ends_with(ending))
      fail(
          "{0}: the command reads no {1}; in Python, pandas.{2}('{0}') is a table that tulle fits, and "
          ".to_csv(.., index=False) writes it for the command",
          path, ending, reader);
}

}  // namespace

std::span<const FormatRow> formats() {
  return kRows;
}

const FormatRow& row_of(Format format) {
  return *std::ranges::find(kRows, format, &FormatRow::format);
}

const FormatTraits& traits(Format format) {
  return row_of(format);
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const FormatRow& row : kRows) names.emplace_back(row.name);
  return names;
}

Format format_of(const std::string& path) {
  std::string_view rest = path;
  if (rest == kStandard) return Format::tns;
  if (is_in_memory(path)) return format_in_memory(path);
  if (ends_in_gz(rest)) rest.remove_suffix(3);
  const auto dot = rest.rfind('.');
  if (dot != std::string_view::npos)
    for (const FormatRow& row : kRows)
      if (rest.substr(dot + 1) == row.name) return row.format;
  refuse_tables_of_others(path);
  std::vector<std::string> names = format_names();
  const std::string last = std::move(names.back());
  names.pop_back();
  fail("{}: unknown format; name it .{} or .{}, or say which of these it is[ (@format)]", path,
       fmt::join(names, ", ."), last);
}

Format format_of(const std::string& path, const ReadOptions& options) {
  if (options.format) return *options.format;
  return path == kStandard && !options.columns.empty() ? Format::csv : format_of(path);
}

}  // namespace tulle
