// Rows of separated fields, quoted as in RFC 4180.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

struct Field {
  std::string_view text;  // without the quotes; padded for parse_real
  bool quoted = false;
};

class RowSplitter {
 public:
  explicit RowSplitter(char separator) : separator_(separator) {}

  // Splits the row that starts at `at` in a text that ends in a line end; returns the start of the next row.
  // The fields are valid until the next call.
  const char* split(const char* at, const char* end);

  std::span<const Field> fields() const { return fields_; }
  bool blank() const {
    return fields_.size() == 1 && !fields_[0].quoted &&
           fields_[0].text.find_first_not_of(" \t") == fields_[0].text.npos;
  }
  std::string_view fault() const { return fault_; }  // empty if the row is well formed

 private:
  const char* plain_field(const char* at);
  const char* quoted_field(const char* at, const char* end);

  char separator_;
  std::vector<Field> fields_;
  std::deque<std::string> unescaped_;  // fields that had doubled quotes
  std::string_view fault_;
};

}  // namespace tulle
