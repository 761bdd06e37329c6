// Data in the memory of a program that embeds the library, under a path that the readers accept in place of a
// file's. The result is that of a file with the same cells: a table with labels is read like CSV, an array
// like .npy, positions like .tns, or like .mtx if their shape is stated.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tulle {

using NumbersInMemory = std::variant<std::span<const float>, std::span<const double>>;
using CodesInMemory = std::variant<std::span<const std::int32_t>, std::span<const std::int64_t>>;

// A dense array in C order.
struct ArrayInMemory {
  std::vector<std::uint64_t> dimensions;
  NumbersInMemory values;
  std::vector<std::string> names = {};  // of its modes; empty: "mode1", "mode2", ..
};

// The positions of one mode, one per row, from 0. With labels, they are indices of labels.
struct ColumnInMemory {
  std::string name;
  CodesInMemory codes;
  std::optional<std::vector<std::string>> labels;
};

// Rows that list cells.
struct TableInMemory {
  std::vector<ColumnInMemory> modes;
  std::optional<NumbersInMemory> values;  // empty: every row counts as 1
  std::optional<Shape> shape;             // that contains the positions; empty: from the largest positions
};

// Examples with their labels: values as an array of examples x values, or of images.
struct ExamplesInMemory {
  ArrayInMemory values;
  std::vector<double> labels;
};

// The contents of a text file: documents, a list of positions or words, a study.
struct TextInMemory {
  std::string text;
};

using DataInMemory = std::variant<ArrayInMemory, TableInMemory, ExamplesInMemory, TextInMemory>;

// Makes data readable under a path during its lifetime. The numbers are not copied and must live as long.
class InMemory {
 public:
  InMemory(const std::string& name, DataInMemory data);  // the name is for messages
  ~InMemory();
  InMemory(const InMemory&) = delete;
  InMemory& operator=(const InMemory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

bool is_in_memory(std::string_view path);

}  // namespace tulle
