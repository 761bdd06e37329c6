#include "text/csv_rows.hpp"

#include "text/number.hpp"

#include <tulle/io/csv_field.hpp>

#include <algorithm>

namespace tulle {

const char* RowSplitter::split(const char* at, const char* end) {
  fields_.clear();
  unescaped_.clear();
  fault_ = {};
  while (true) {
    at = *at == '"' ? quoted_field(at, end) : plain_field(at);
    if (!fault_.empty()) return at;
    if (*at == '\n') return at + 1;
    ++at;  // the separator; since a line end must follow, there is one more field
  }
}

const char* RowSplitter::plain_field(const char* at) {
  const char* const first = at;
  while (*at != separator_ && *at != '\n' && *at != '"') ++at;
  if (*at == '"') fault_ = "a quote inside a field; put the whole field into quotes and double the quote";
  const char* const last = *at == '\n' && at > first && at[-1] == '\r' ? at - 1 : at;
  fields_.push_back({{first, last}, false});
  return at;
}

const char* RowSplitter::quoted_field(const char* at, const char* end) {
  const char* first = ++at;
  const char* close = std::find(at, end, '"');
  if (close + 1 < end && close[1] == '"') {
    std::string& text = unescaped_.emplace_back();
    while (close + 1 < end && close[1] == '"') {
      text.append(first, close + 1);
      first = close + 2;
      close = std::find(first, end, '"');
    }
    text.append(first, close);
    const std::size_t length = text.size();
    text.append(kNumberPadding, '\n');
    fields_.push_back({std::string_view(text).substr(0, length), true});
  } else {
    fields_.push_back({{first, close}, true});
  }
  if (close == end) {
    fault_ = "a quote is not closed; close it, or double a quote that belongs to the text";
    return end;
  }
  at = close + 1;
  if (*at == '\r' && at[1] == '\n') ++at;
  if (*at != separator_ && *at != '\n')
    fault_ = "text behind a closing quote; double quotes that belong to the text";
  return at;
}

void append_field(std::string& line, std::string_view field, char separator) {
  // An empty field would read as missing, a blank one might be trimmed by other programs.
  const bool plain = !field.empty() && field.front() != ' ' && field.back() != ' ' &&
                     field.find_first_of("\"\r\n\t") == field.npos && field.find(separator) == field.npos;
  if (plain) {
    line += field;
    return;
  }
  line += '"';
  for (char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

}  // namespace tulle
