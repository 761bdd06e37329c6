// How a table of text separates its columns, and how it writes numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tulle {

struct Dialect {
  char separator = ',';
  bool decimal_comma = false;
  bool guessed = false;  // the separator, from the first line
};

// What is not stated follows from `otherwise`, the separator of the format, and from the first line, unless
// that may be private: a semicolon in a line without a comma separates columns, and numbers may have a
// decimal comma.
Dialect dialect_of(std::string_view first_line, char otherwise, std::optional<char> separator,
                   std::optional<char> decimal, bool line_is_public);

// Numbers with a point for the decimal comma.
class DecimalText {
 public:
  explicit DecimalText(bool decimal_comma) : comma_(decimal_comma) {}

  // Padded for parse_real, as `text` is; valid until the next call.
  std::string_view of(std::string_view text);

 private:
  bool comma_;
  std::string copy_;
};

}  // namespace tulle
