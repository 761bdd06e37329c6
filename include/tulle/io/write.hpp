// Writing a tensor to a file. The file appears whole or not at all: it is written beside its place and then
// renamed.
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

// "-" is standard output. More columns are for CSV and TSV: a UsageError for other formats.
void write(const std::string& path, const Dataset& data, std::optional<Format> format = {},
           const std::vector<ValueColumn>& more = {});

// An Error where a file of this name cannot list some cells of a tensor.
void check_lists_cells(const std::string& path, int order);

// Any text, as whole as that.
void write_text(const std::string& path, std::string_view text);

}  // namespace tulle

#pragma GCC visibility pop
