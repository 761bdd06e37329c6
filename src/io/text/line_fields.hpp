// The fields of single lines of a small table.
#pragma once

#include "text/csv_rows.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tulle {

class LineFields {
 public:
  explicit LineFields(char separator) : splitter_(separator) {}

  // Valid until the next call.
  std::span<const Field> of(std::string_view line) {
    line_.assign(line);
    line_ += '\n';
    splitter_.split(line_.data(), line_.data() + line_.size());
    return splitter_.fields();
  }
  std::string_view fault() const { return splitter_.fault(); }

 private:
  std::string line_;
  RowSplitter splitter_;
};

// Of a list or a small table, by the end of its name.
bool ends_like_a_table(std::string_view path);
char separator_of_list(std::string_view path);

}  // namespace tulle
