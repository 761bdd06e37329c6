#include "text/dialect.hpp"

#include "text/number.hpp"

#include <algorithm>

namespace tulle {
namespace {

// Names in quotes may have any characters.
bool has_outside_quotes(std::string_view line, char wanted) {
  bool quoted = false;
  for (const char each : line) {
    if (each == '"') quoted = !quoted;
    if (each == wanted && !quoted) return true;
  }
  return false;
}

}  // namespace

Dialect dialect_of(std::string_view first_line, char otherwise, std::optional<char> separator,
                   std::optional<char> decimal, bool line_is_public) {
  const bool shows_semicolons = has_outside_quotes(first_line, ';') && !has_outside_quotes(first_line, ',');
  const bool guessed = !separator && otherwise == ',' && line_is_public && shows_semicolons;
  const char found = separator.value_or(guessed ? ';' : otherwise);
  return {found, decimal ? *decimal == ',' : found == ';', guessed};
}

std::string_view DecimalText::of(std::string_view text) {
  if (!comma_ || text.find(',') == text.npos) return text;
  copy_.assign(text);
  std::ranges::replace(copy_, ',', '.');
  copy_.append(kNumberPadding, '\n');
  return std::string_view(copy_).substr(0, text.size());
}

}  // namespace tulle
