// How readers find data in memory, by their path.
#pragma once

#include <tulle/io/memory.hpp>
#include <tulle/io/read.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tulle {

// What is there under a path. An Error where nothing is, which means that it is gone.
struct FoundInMemory {
  std::string name;
  const DataInMemory& data;
};
FoundInMemory find_in_memory(const std::string& path);

Format format_in_memory(const std::string& path);
std::string_view text_in_memory(const std::string& path);  // lives as long as what is held
Dataset read_in_memory(const std::string& path, const ReadOptions& options);
CellList read_cells_in_memory(const std::string& path, const ReadOptions& options);

// All numbers of an array as float64, in blocks.
void for_each_block(const NumbersInMemory& numbers, const std::function<void(std::span<const double>)>& take);

}  // namespace tulle
