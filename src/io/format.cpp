#include "memory.hpp"
#include "source.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read.hpp>

#include <array>

namespace tulle {
namespace {

struct Ending {
  std::string_view text;
  Format format;
};

constexpr std::array kEndings{Ending{"tns", Format::tns}, Ending{"csv", Format::csv},
                              Ending{"tsv", Format::tsv}, Ending{"mtx", Format::mtx},
                              Ending{"npy", Format::npy}, Ending{"npz", Format::npz},
                              Ending{"mat", Format::mat}};

}  // namespace

Format format_of(const std::string& path) {
  std::string_view rest = path;
  if (rest == kStandard) return Format::tns;
  if (is_in_memory(path)) return format_in_memory(path);
  if (ends_in_gz(rest)) rest.remove_suffix(3);
  const auto dot = rest.rfind('.');
  if (dot != std::string_view::npos)
    for (const auto& [text, format] : kEndings)
      if (rest.substr(dot + 1) == text) return format;
  fail(
      "{}: unknown format; name it .tns, .csv, .tsv, .mtx, .npy, .npz or .mat, or say which of these it is[ "
      "(@format)]",
      path);
}

Format format_of(const std::string& path, const ReadOptions& options) {
  return options.format ? *options.format : format_of(path);
}

std::string_view name(Format format) {
  for (const auto& ending : kEndings)
    if (ending.format == format) return ending.text;
  return "unknown";
}

}  // namespace tulle
