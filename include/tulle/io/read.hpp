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

// What a format calls positions by: their numbers, labels, or what the file itself says.
enum class Naming { numbers, labels, either };

// What is known of a file before it is read.
struct FormatTraits {
  Format format;
  std::string_view name;  // and the ending of its files
  Naming naming = Naming::numbers;
  bool states_shape = true;  // else the largest positions show it

  // Lines of named columns, of which there may be more than one beside the positions.
  bool has_columns() const { return naming == Naming::labels; }
};
const FormatTraits& traits(Format format);
std::vector<std::string> format_names();  // of all formats

struct ReadOptions {
  std::optional<Format> format = {};      // empty: by the name's ending, .gz looked through; .tns for "-"
  Unlisted unlisted = Unlisted::missing;  // for formats that list cells
  bool nan_is_missing = false;            // cells whose value is NaN, or empty in CSV, are left out
  Duplicates duplicates = Duplicates::refuse;  // rows that list the same cell
  bool one_cell_per_entry = false;  // refuse symmetric matrices, in which an entry stands for two cells
  bool clamp_to_float32 = false;    // a finite number beyond float32 is the largest there, not an error
  std::optional<Shape> shape = {};  // what the data lie in: cells outside are an error; empty: the data say
  std::string variable = {};        // .npz and .mat: which array; empty when there is only one

  // CSV and TSV. Without a choice of columns, all of them are modes, and the last is the value.
  std::optional<bool> header = {};  // empty: the first line is a header when its value column is not a number
  std::vector<std::string> columns = {};  // names or 1-based numbers of the mode columns, then of the value.
                                          // "ts/604800" divides a numeric column into bins of that width;
                                          // "-" in place of the value: there is none, every row counts as 1
  bool is_column = false;  // of n x 1 cells, whose second position a file of two columns does not state

  // Without an entry the data are an error, unless this is set: how many cells there are may be private.
  // `order` is how many modes a file has that says so by its lines (.tns, CSV without a header), if it has
  // none.
  bool may_be_empty = false;
  std::optional<int> order = {};

  // Modes of a model or of training data: labels are looked up there. Labels that are not there are added
  // behind the known ones (grow = true) or are an error. In a mode without labels, positions are their
  // 1-based numbers; in one where any position will do (Mode::any), the file's own labels are taken. A CSV
  // file whose header names all known modes may have its columns in any order, and more of them.
  std::vector<Mode> known = {};
  bool grow = false;
};

Format format_of(const std::string& path);  // by its ending; an Error that lists the formats when unknown
Format format_of(const std::string& path, const ReadOptions& options);  // the one that is stated, if one is

Dataset read(const std::string& path, const ReadOptions& options = {});  // "-" is standard input

// Cells to predict: the positions only. Whether there is a value column, which is ignored, shows by the known
// modes or the shape; without these, the last column is taken for one. Cells that are listed several times
// stay so.
struct CellList {
  std::vector<Mode> modes;
  Cells cells;
};
CellList read_cells(const std::string& path, const ReadOptions& options = {});

// Whether a choice of a column (ReadOptions::columns) is a name, which a header has, rather than a number.
bool is_column_name(std::string_view choice);

// The lines of a text file that are not empty, without their ends.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace tulle

#pragma GCC visibility pop
