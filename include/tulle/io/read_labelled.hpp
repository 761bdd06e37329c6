// Labelled examples from files.
//   *idx3-ubyte, *idx1-ubyte   images and labels of MNIST, possibly with gzip. Labels are found beside the
//                              images under their usual name (images-idx3 -> labels-idx1). A folder: the
//                              training images in it
//   .npz                       arrays "images" or "x" or "values", and "labels" or "y"
//   .csv, .tsv                 one line per example, the label in the last or in a named column
//   -                          the same from standard input
#pragma once

#include <tulle/data/labelled.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct LabelledFileOptions {
  std::string labels = {};        // a file of labels; empty: found beside the images, or in the file itself
  std::string label_column = {};  // of CSV: its name or 1-based number; empty: the last
  // CSV only: the first line names the columns. Empty: it does if the label's column was given by name, or if
  // it starts with something other than a number.
  std::optional<bool> header = {};
  // Of a table: its separator and its decimal mark, as in ReadOptions.
  std::optional<char> separator = {}, decimal = {};
  std::vector<CategoricalColumn> categories = {};
  std::optional<int> classes = {};  // labels are 0 .. classes - 1; empty: the largest label + 1
  bool clamped = false;  // labels outside the stated classes become the nearest one, whatever they are
  // Accept files without examples, if the classes are stated and the file states the number of values of an
  // example.
  bool may_be_empty = false;
  std::vector<std::string> known = {};  // names of the classes, of a model, of training data, or public ones
  bool named = false;  // with `clamped`: labels are such names, and one that is none of them is the first
  // The number of values of an example, as a model states it. A table with that many columns has no labels.
  std::optional<std::size_t> values = {};
  bool values_alone = false;  // labels may be missing, and are ignored if they are present
  // Height and width of an image; 0 and 0: examples are not images. Empty: the shape in the file; those of a
  // table are then not images.
  std::optional<std::pair<int, int>> image = {};
};

// True if a label's column is given by its name in a header rather than by its number.
bool is_column_name(const std::string& column);

// True if the values are bytes, from 0 to 255: idx files, or a folder of them.
bool holds_bytes(const std::string& path);
// True if the name is that of a table with a line per example, or of standard input, which is read as one.
bool is_labelled_table(const std::string& path);

LabelledExamples read_labelled(const std::string& path, const LabelledFileOptions& options = {});

}  // namespace tulle

#pragma GCC visibility pop
