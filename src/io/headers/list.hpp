// Lists of labels that the owner makes public: one per line, or a column of a table.
#pragma once

#include <tulle/io/read.hpp>

#include <optional>
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

// The first words of a text that are not in the vocabulary, with the lines that they are in.
std::vector<std::string> unknown_words(const std::string& path, const std::vector<std::string>& vocabulary,
                                       std::size_t most);

// Whether the first line of a table shows that semicolons separate its columns (ReadOptions::separator).
bool shows_semicolons(const std::string& path, const ReadOptions& options);

// The first line of a text file of columns that has the label in the column of the mode. None if there is
// none, as of a bin, or if the file is not of this kind.
std::optional<std::size_t> line_of_label(const std::string& path, const ReadOptions& options,
                                         std::string_view mode, std::string_view label);

}  // namespace tulle
