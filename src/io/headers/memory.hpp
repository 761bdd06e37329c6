// Data of a program that embeds the library, in its own memory, under a path that the readers take in place
// of a file's. What is read is what a file of the same cells would give: a table with labels is read as CSV
// is, an array as .npy, positions as .tns, or as .mtx where their shape is stated.
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
  std::vector<std::string> names = {};  // of its modes; none: "mode1", "mode2", ..
};

// The positions of one mode, one per row, from 0: those of labels, if there are some.
struct ColumnInMemory {
  std::string name;
  CodesInMemory codes;
  std::optional<std::vector<std::string>> labels;
};

// Rows that list cells.
struct TableInMemory {
  std::vector<ColumnInMemory> modes;
  std::optional<NumbersInMemory> values;  // none: every row counts as 1
  std::optional<Shape> shape;             // what the positions lie in; none: the rows say
};

// Examples with their labels: values as an array of examples x values, or of images.
struct ExamplesInMemory {
  ArrayInMemory values;
  std::vector<double> labels;
};

// What a file of text would hold: documents, a list of positions or words, a study.
struct TextInMemory {
  std::string text;
};

using DataInMemory = std::variant<ArrayInMemory, TableInMemory, ExamplesInMemory, TextInMemory>;

// Makes data readable under a path while it lives. The numbers are not copied and must live as long.
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
