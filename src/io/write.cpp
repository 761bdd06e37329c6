#include "formats.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/write.hpp>

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

}  // namespace

void check_lists_cells(const std::string& path, int order) {
  check_holds(row_of(format_of(path)), path, order, true);
}

void write(const std::string& path, const Dataset& data, std::optional<Format> format,
           const std::vector<ValueColumn>& more) {
  const FormatRow& row = row_of(format ? *format : format_of(path));
  if (!more.empty() && !row.has_columns())
    fail_usage("{}: {} has no column for {}; write .csv or .tsv", path, row.name, more.front().name);
  check_holds(row, path, data.shape().order(), std::holds_alternative<SparseTensor>(data.tensor));
  if (const auto* archive = std::get_if<ArchiveFormat>(&row.file)) return archive->write(path, data);
  Sink sink(path);
  std::get<StreamFormat>(row.file).write(sink, data, more);
  sink.commit();
}

void write_text(const std::string& path, std::string_view text) {
  Sink sink(path);
  sink.write(text);
  sink.commit();
}

}  // namespace tulle
