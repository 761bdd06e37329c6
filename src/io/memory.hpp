// Access to data in memory by their path, for the readers.
#pragma once

#include <tulle/io/memory.hpp>
#include <tulle/io/read.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tulle {

// The data under a path. An Error is thrown if they no longer exist.
struct FoundInMemory {
  std::string name;
  const DataInMemory& data;
};
FoundInMemory find_in_memory(const std::string& path);

Format format_in_memory(const std::string& path);
std::string_view text_in_memory(const std::string& path);  // valid as long as the InMemory object lives
Dataset read_in_memory(const std::string& path, const ReadOptions& options);
CellList read_cells_in_memory(const std::string& path, const ReadOptions& options);

// Passes all numbers of an array on as float64, in blocks.
void for_each_block(const NumbersInMemory& numbers, const std::function<void(std::span<const double>)>& take);

}  // namespace tulle
