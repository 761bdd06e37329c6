// Which column of a CSV file is what.
#pragma once

#include "text/csv_rows.hpp"

#include <tulle/io/read.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tulle {

// Of a mode of one position, which the file does not state.
inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

struct CsvMode {
  std::size_t column;  // from 0
  std::string name;
  double width = 0;       // of the bins that a numeric column is divided into; 0: it is not
  bool numbered = false;  // positions are given by their numbers, because the known mode has no labels
};

struct CsvLayout {
  std::size_t columns;  // of every row
  bool header;          // the first row holds names
  std::vector<CsvMode> modes;
  std::optional<std::size_t> value;  // none when the cells have no values
  bool guessed_header = false;       // by the first row
};

// `where` is "FILE:LINE" of the first row.
CsvLayout lay_out(std::span<const Field> first_row, const ReadOptions& options, bool cells_only,
                  const std::string& where);

// That of a file without a header and without rows, where what was asked for says how many columns it has.
std::optional<CsvLayout> lay_out_without_rows(const ReadOptions& options, const std::string& file);

}  // namespace tulle
