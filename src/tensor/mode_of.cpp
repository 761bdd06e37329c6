#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/base/utf8.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <fmt/ranges.h>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::string_view kAxis = "axis ";

int axis_of(std::string_view number, const std::vector<Mode>& modes, std::string_view what) {
  const auto axis = parse_number<std::size_t>(number);
  if (!axis || *axis >= modes.size())
    fail_usage("{} {}: there is no such axis; axes count from 0 to {}", with_marks(what), number,
               modes.size() - 1);
  return static_cast<int>(*axis);
}

// "ts" for "ts/604800", unless a column is divided into bins of several widths.
std::vector<Mode>::const_iterator only_bins_of(std::string_view column, const std::vector<Mode>& modes) {
  const auto is_of = [&](const Mode& mode) {
    return mode.name.rfind('/') == column.size() && mode.name.starts_with(column);
  };
  const bool is_one = !column.empty() && std::ranges::count_if(modes, is_of) == 1;
  return is_one ? std::ranges::find_if(modes, is_of) : modes.end();
}

}  // namespace

int mode_of(const std::string& text, const std::vector<Mode>& modes, std::string_view what) {
  auto named = std::ranges::find(modes, text, &Mode::name);
  if (named == modes.end())
    named = std::ranges::find_if(modes, [&](const Mode& mode) { return in_utf8(mode.name) == text; });
  if (named == modes.end()) named = only_bins_of(text, modes);
  if (named != modes.end()) return static_cast<int>(named - modes.begin());
  if (text.starts_with(kAxis)) return axis_of(std::string_view(text).substr(kAxis.size()), modes, what);
  const auto number = parse_number<std::size_t>(text);
  if (!number || *number < 1 || *number > modes.size()) {
    std::vector<std::string> names;
    for (const Mode& mode : modes) names.push_back(mode.name);
    fail_usage("{} {}: there is no such mode{}; there are {}, or numbers from 1 to {}", with_marks(what),
               text, suggestion(text, names), fmt::join(names, ", "), modes.size());
  }
  return static_cast<int>(*number) - 1;
}

Mode in_utf8(const Mode& mode) {
  if (is_utf8(mode.name) && std::ranges::all_of(mode.labels, is_utf8)) return mode;
  Mode converted = mode;
  converted.name = latin1_to_utf8(mode.name);
  for (std::string& label : converted.labels) label = latin1_to_utf8(label);
  return converted;
}

std::vector<Mode> in_utf8(const std::vector<Mode>& modes) {
  std::vector<Mode> converted;
  for (const Mode& mode : modes) converted.push_back(in_utf8(mode));
  return converted;
}

}  // namespace tulle
