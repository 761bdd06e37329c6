// Reading a tensor from a file, whatever its format.
#pragma once

#include <tulle/tensor/dataset.hpp>
#include <tulle/tensor/merge_duplicates.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

enum class Format { tns, csv, tsv, mtx, npy, npz, mat };

// How a format names positions: by numbers, by labels, or as the file itself states.
enum class Naming { numbers, labels, either };

// The properties of a format that are known before a file is read.
struct FormatTraits {
  Format format;
  std::string_view name;  // and the ending of its files
  Naming naming = Naming::numbers;
  bool states_shape = true;  // otherwise the largest positions determine it

  // True for lines of named columns, with possibly several columns besides the positions.
  bool has_columns() const { return naming == Naming::labels; }
};
const FormatTraits& traits(Format format);
std::vector<std::string> format_names();  // of all formats

struct ReadOptions {
  std::optional<Format> format = {};           // empty: by the name's ending before .gz; .tns for "-"
  Unlisted unlisted = Unlisted::missing;       // for formats that list cells
  bool nan_is_missing = false;                 // cells whose value is NaN, or in CSV empty or NA, are skipped
  Duplicates duplicates = Duplicates::refuse;  // rows that list the same cell
  bool one_cell_per_entry = false;  // refuse symmetric matrices, in which an entry represents two cells
  bool of_events = false;           // values are numbers of events: an Error for one below 0 or not whole
  bool clamp_to_float32 = false;    // a number too large for float32 becomes the largest, not an error
  std::optional<Shape> shape = {};  // cells outside of it are an error; empty: the shape of the data
  std::string variable = {};        // .npz and .mat: the name of the array; empty if there is only one

  // CSV and TSV. Without a choice of columns, all of them are modes, and the last is the value.
  std::optional<bool> header = {};  // empty: the first line is a header if its value column is not a number
  std::vector<std::string> columns = {};  // names or 1-based numbers of the mode columns, then of the value.
                                          // "ts/604800" divides a numeric column into bins of that width,
                                          // "ts/week" time stamps into hours, days, weeks or months;
                                          // "-" in place of the value: no values, every row counts as 1
  // Between the fields of CSV. Empty: a comma or, where the first line is a header that has a semicolon and
  // no comma, a semicolon.
  std::optional<char> separator = {};
  // The decimal mark, a point or a comma. Empty: a comma, beside a point, where semicolons separate fields.
  std::optional<char> decimal = {};
  bool is_column = false;  // data of n x 1 cells, whose second position a file of two columns does not state

  // Data without an entry are an error, unless this is set: the number of cells may be private. `order` is
  // the number of modes of a file without lines whose format shows it by its lines (.tns, CSV without a
  // header).
  bool may_be_empty = false;
  std::optional<int> order = {};

  // Modes of a model or of training data, in which labels are looked up. Unknown labels are appended to the
  // known ones (grow = true) or are an error. In a mode without labels, positions are given by their 1-based
  // numbers; in one that accepts any position (Mode::any), the file's own labels are used. A CSV file whose
  // header names all known modes may have its columns in any order, and further columns.
  std::vector<Mode> known = {};
  bool grow = false;
};

Format format_of(const std::string& path);  // by its ending; if unknown, throws an Error listing the formats
Format format_of(const std::string& path, const ReadOptions& options);  // the stated format, if there is one

Dataset read(const std::string& path, const ReadOptions& options = {});  // "-" is standard input

// Cells to predict: the positions only. The known modes or the shape show whether there is a value column,
// which is ignored; without these, the last column is taken to be one. Cells that are listed several times
// are kept as often.
struct CellList {
  std::vector<Mode> modes;
  Cells cells;
};
CellList read_cells(const std::string& path, const ReadOptions& options = {});

// True if a choice of a column (ReadOptions::columns) is a name in a header rather than a number.
bool is_column_name(std::string_view choice);

// The nonempty lines of a text file, without line ends.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace tulle

#pragma GCC visibility pop
