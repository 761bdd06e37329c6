// How many cells a tensor may list, from its shape alone: what exact sums over cells are made for.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <algorithm>
#include <cstdint>

namespace tulle {

inline constexpr std::uint64_t kMostCells = std::uint64_t{1} << 31;

// As many as the shape has, or kMostCells.
inline double most_cells(const Shape& shape) {
  double cells = 1;
  for (Index size : shape.dimensions()) cells *= size;
  return std::min(cells, static_cast<double>(kMostCells));
}

}  // namespace tulle
