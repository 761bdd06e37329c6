#include "binary/binary.hpp"
#include "sink.hpp"
#include "source.hpp"
#include "text/formats.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/write.hpp>

namespace tulle {
namespace {

void check_holds(Format format, const std::string& path, int order, bool lists_some) {
  const std::string_view shown = path == kStandard ? "standard output" : std::string_view(path);
  if (format == Format::npy && lists_some)
    fail("{}: .npy holds every cell, but this tensor lists only some; write it as .npz or .tns", shown);
  if (format == Format::mtx && order != 2)
    fail("{}: MatrixMarket holds matrices, not tensors of {} modes; write .tns", shown, order);
  if (format != Format::npz && format != Format::mat) return;
  if (path == kStandard) fail_usage("{}: {} needs a file to seek in; name one", shown, name(format));
  if (ends_in_gz(path)) fail_usage("{}: {} is compressed already; leave out .gz", shown, name(format));
}

}  // namespace

void check_lists_cells(const std::string& path, int order) {
  check_holds(format_of(path), path, order, true);
}

void write(const std::string& path, const Dataset& data, std::optional<Format> format,
           const std::vector<ValueColumn>& more) {
  if (!format) format = format_of(path);
  if (!more.empty() && *format != Format::csv && *format != Format::tsv)
    fail_usage("{}: {} has no column for {}; write .csv or .tsv", path, name(*format), more.front().name);
  check_holds(*format, path, data.shape().order(), std::holds_alternative<SparseTensor>(data.tensor));
  if (*format == Format::npz || *format == Format::mat)
    return *format == Format::npz ? write_npz(path, data) : write_mat(path, data);
  Sink sink(path);
  switch (*format) {
    case Format::csv:
      write_csv(sink, ',', data, more);
      break;
    case Format::tsv:
      write_csv(sink, '\t', data, more);
      break;
    case Format::mtx:
      write_mtx(sink, data);
      break;
    case Format::npy:
      write_npy(sink, data);
      break;
    default:
      write_tns(sink, data);
  }
  sink.commit();
}

void write_text(const std::string& path, std::string_view text) {
  Sink sink(path);
  sink.write(text);
  sink.commit();
}

}  // namespace tulle
