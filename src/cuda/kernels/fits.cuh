// The fits of this library, by the file that has each.
#pragma once

#include "../gpu.hpp"

namespace tulle::gpu {

std::unique_ptr<Sweeps> sparse_sweeps(std::span<const SortedList> lists, std::vector<std::size_t> rows);
std::unique_ptr<Completion> row_completion(std::span<const SortedList> lists, const FactorSizes& sizes,
                                           bool offsets);

}  // namespace tulle::gpu
