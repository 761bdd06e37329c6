// Sums over units, block by block: what is released is a sum of one term per unit, of whole numbers on a
// public grid (base/sum_grid.hpp), so that the partial sums of any division add up to the same bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#pragma GCC visibility push(default)

namespace tulle {

// Adds sum(begin, end) over consecutive blocks of the units 0 .. units - 1, each of `block_size` units, the
// last of those that are left; 0: one block of all of them. A sum is an array of numbers, as many for every
// block.
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
