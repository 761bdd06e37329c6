// The meanings of the columns of a CSV file.
#pragma once

#include "text/csv_rows.hpp"
#include "text/time_bins.hpp"

#include <tulle/io/read.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tulle {

// The column of a mode of one position, which the file does not state.
inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

struct CsvMode {
  std::size_t column;  // from 0
  std::string name;
  double width = 0;  // of the bins into which a numeric column is divided; 0: no such bins
  TimeBin time = TimeBin::none;
  bool numbered = false;  // positions are given by their numbers, since the known mode has no labels

  bool has_bins() const { return width > 0 || time != TimeBin::none; }
};

struct CsvLayout {
  std::size_t columns;  // of every row
  bool header;          // the first row holds names
  std::vector<CsvMode> modes;
  std::optional<std::size_t> value;  // empty if the cells have no values
  bool guessed_header = false;       // `header` follows from the first row, not from options
};

// `where` is "FILE:LINE" of the first row.
CsvLayout lay_out(std::span<const Field> first_row, const ReadOptions& options, bool cells_only,
                  const std::string& where);

// The layout of a file without a header and without rows, if the options determine its number of columns.
std::optional<CsvLayout> lay_out_without_rows(const ReadOptions& options, const std::string& file);

}  // namespace tulle
