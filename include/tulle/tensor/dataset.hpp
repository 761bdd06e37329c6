// A tensor with the names of its modes and of their positions, as read from a file.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// One mode of the data: "user", "movie", "week". Without labels, a position is named by its 1-based number.
struct Mode {
  std::string name;
  std::vector<std::string> labels;
  // In a model under joint privacy: one row serves every position, since the model has none for single ones.
  bool any = false;
  // For data without labels: the labels, if any, are 1-based numbers of its positions, of which some may be
  // missing. Data that name positions by numbers refer to these labels.
  bool numbered = false;

  bool operator==(const Mode& other) const = default;
};

std::vector<Mode> unnamed_modes(int order);  // "mode1", "mode2", ... without labels
std::string position_name(const Mode& mode, Index position);

// The same cells as a model with these modes stores them: if one row serves every position, at that row.
Cells cells_in_model(const Cells& cells, const std::vector<Mode>& modes);

// How several rows of one cell are handled: an error, or one value.
enum class Duplicates {
  refuse,
  mean,
  last,  // the last value in the order of the file
  sum,
  count,  // the number of rows, whatever their values
};

struct Dataset {
  std::vector<Mode> modes;
  std::variant<DenseTensor, SparseTensor> tensor;
  // Rows of the file beyond the first of their cell, if rows were merged; private.
  std::size_t merged_rows = 0;
  Duplicates duplicates = Duplicates::refuse;  // how rows of one cell were merged, if they were; public
  bool repeats_entries = false;    // an entry of the file sets two cells, as in a symmetric matrix
  bool guessed_header = false;     // whether the first line is a header was guessed from that line
  bool guessed_separator = false;  // so was the separator of the columns: semicolons
  bool is_labelled = false;        // by its format: every mode has labels, even if no line has one
  // For what the owner is told: by mode, the lines that first have each label, from 1. None from a file
  // without lines, 0 for a label known before.
  std::vector<std::vector<std::size_t>> label_lines = {};

  const Shape& shape() const;
  std::size_t listed() const;  // stored cells: all of a dense tensor
};

// The cells whose values are known, as a sparse tensor whose unlisted cells are missing: for completion.
SparseTensor observed(const Dataset& data);
SparseTensor observed(Dataset&& data);  // does not copy a sparse tensor

}  // namespace tulle

#pragma GCC visibility pop
