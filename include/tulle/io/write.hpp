// Writing a tensor to a file. The file appears completely or not at all: a temporary file in the same folder
// is renamed at the end.
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/tensor/dataset.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// A column of numbers beside the values.
struct ValueColumn {
  std::string name;
  std::vector<double> values;
};

// "-" is standard output. Only CSV and TSV take further columns; other formats throw a UsageError.
void write(const std::string& path, const Dataset& data, std::optional<Format> format = {},
           const std::vector<ValueColumn>& more = {});

// Throws an Error if the format of this name cannot list a part of the cells of a tensor of this order.
void check_lists_cells(const std::string& path, int order);

// Writes any text; this file, too, appears completely or not at all.
void write_text(const std::string& path, std::string_view text);

}  // namespace tulle

#pragma GCC visibility pop
