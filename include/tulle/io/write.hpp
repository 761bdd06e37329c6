// Writing a tensor to a file. The file appears whole or not at all: it is written beside its place and then
// renamed.
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/tensor/dataset.hpp>

#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace tulle {

void write(const std::string& path, const Dataset& data,
           std::optional<Format> format = {});  // "-" is standard output

// An Error where a file of this name cannot list some cells of a tensor.
void check_lists_cells(const std::string& path, int order);

// Any text, as whole as that.
void write_text(const std::string& path, std::string_view text);

}  // namespace tulle

#pragma GCC visibility pop
