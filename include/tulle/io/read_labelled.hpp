// Labelled examples from files.
//   *idx3-ubyte, *idx1-ubyte   images and labels of MNIST, gzip looked through. Labels are found beside the
//                              images under their usual name (images-idx3 -> labels-idx1). A folder: the
//                              training images in it
//   .npz                       arrays "images" or "x" or "values", and "labels" or "y"
//   .csv, .tsv                 one line per example, the label in the last column or in one that is named
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
  // Of CSV: whether the first line names the columns. Empty: it does when a name was given for the label's
  // column, and else where it starts with something other than a number.
  std::optional<bool> header = {};
  std::optional<int> classes = {};  // labels are 0 .. classes - 1; empty: as many as the largest label says
  bool clamped = false;  // labels outside the stated classes become the nearest one, whatever they are
  // Files without examples are read, where the classes are stated and the file says how many values an
  // example has.
  bool may_be_empty = false;
  std::vector<std::string> known = {};  // names of the classes, of a model or of training data
  // How many values an example has, which a model says. A table of so many columns has no labels.
  std::optional<std::size_t> values = {};
  bool values_alone = false;  // labels may be missing, and are not looked at where they are there
  // Height and width of an image; 0 and 0: examples are no images. Empty: as the shape of the file says; a
  // table of a square number of values, from 64 on, holds square images.
  std::optional<std::pair<int, int>> image = {};
};

// Whether a label's column is given by its name, which a header has, rather than by its number.
bool is_column_name(const std::string& column);

// Whether values there are bytes, from 0 to 255: idx files, or a folder of them.
bool holds_bytes(const std::string& path);
// Whether its name is that of a table with a line per example, or of standard input, which is read as one.
bool is_labelled_table(const std::string& path);

LabelledExamples read_labelled(const std::string& path, const LabelledFileOptions& options = {});

}  // namespace tulle

#pragma GCC visibility pop
