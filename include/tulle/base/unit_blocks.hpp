// Sums over units, block by block. A released sum has one term per unit, a multiple of the step of a public
// grid (base/sum_grid.hpp), so the partial sums of any division into blocks add up to the same bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#pragma GCC visibility push(default)

namespace tulle {

// Adds up sum(begin, end) over consecutive blocks of the units 0 .. units - 1. Each block has `block_size`
// units, the last one those that are left; 0: one block of all units. Every sum is an array of the same
// length.
template <class Sum>
auto add_up_blocks(std::size_t units, std::size_t block_size, Sum&& sum) {
  const std::size_t size = block_size == 0 ? units : std::min(block_size, units);
  auto total = sum(std::size_t{0}, size);
  for (std::size_t begin = size; begin < units; begin += size) {
    const auto part = sum(begin, std::min(begin + size, units));
    std::transform(part.data(), part.data() + part.size(), total.data(), total.data(), std::plus<>());
  }
  return total;
}

}  // namespace tulle

#pragma GCC visibility pop
