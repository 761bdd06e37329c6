// Lists of labels that the owner makes public: one per line, or a column of a table.
#pragma once

#include <tulle/io/read.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tulle {

// A file, and a column of it by its name in the first line; "": the column of the mode's name, or the only
// one.
struct ListFile {
  std::string path, column;
};

// "films.csv:title" names a column of a table.
ListFile list_file(std::string_view text);

// The labels. Fields are read as in CSV, so that a label may be in quotes, and a first line that is the name
// of the mode is a header.
std::vector<std::string> read_list(const ListFile& list, std::string_view mode);

// Public bounds of a column: a line of a table with the columns column, low and high.
struct ColumnBounds {
  std::string column;
  double low = 0, high = 0;
};
std::vector<ColumnBounds> read_column_bounds(const std::string& path);

}  // namespace tulle
