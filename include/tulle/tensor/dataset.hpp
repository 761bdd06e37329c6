// A tensor with the names of its modes and of their positions, as read from a file.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// One way through the data: "user", "movie", "week". Without labels, a position is called by its 1-based
// number.
struct Mode {
  std::string name;
  std::vector<std::string> labels;
  // Of a model under joint privacy: one row stands for every position, since it knows nothing of single ones.
  bool any = false;
  // Of data without labels: the labels, if there are any, are 1-based numbers of its positions, of which some
  // may be left out. Data that call positions by numbers mean these labels.
  bool numbered = false;

  bool operator==(const Mode& other) const = default;
};

std::vector<Mode> unnamed_modes(int order);  // "mode1", "mode2", ... without labels
std::string position_name(const Mode& mode, Index position);

// The same cells as a model with these modes holds them: where one row stands for every position, at that
// row.
Cells cells_in_model(const Cells& cells, const std::vector<Mode>& modes);

// What becomes of the rows of one cell: an error, or one value.
enum class Duplicates {
  refuse,
  mean,
  last,  // the last value in the order of the file
  sum,
  count,  // how many rows there are, whatever their values
};

struct Dataset {
  std::vector<Mode> modes;
  std::variant<DenseTensor, SparseTensor> tensor;
  // Rows of the file beyond the first of their cell, where rows were merged; private.
  std::size_t merged_rows = 0;
  Duplicates duplicates = Duplicates::refuse;  // how rows of one cell were merged, if they were; public
  bool repeats_entries = false;  // an entry of the file stands for two cells, as in a symmetric matrix
  bool guessed_header = false;   // whether its first line is a header follows from that line
  bool is_labelled = false;      // by its format: every mode has labels, whether or not a line shows one

  const Shape& shape() const;
  std::size_t listed() const;  // cells that are held: all of a dense tensor
};

// The cells whose values are known, as a sparse tensor with missing semantics: the form that completion works
// on.
SparseTensor observed(const Dataset& data);
SparseTensor observed(Dataset&& data);  // without a copy of a sparse tensor

}  // namespace tulle

#pragma GCC visibility pop
