// The most cells that a tensor of a shape may list; exact sums over cells are made for that many.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <algorithm>
#include <cstdint>

namespace tulle {

inline constexpr std::uint64_t kMostCells = std::uint64_t{1} << 31;

// All cells of the shape, but at most kMostCells.
inline double most_cells(const Shape& shape) {
  double cells = 1;
  for (Index size : shape.dimensions()) cells *= size;
  return std::min(cells, static_cast<double>(kMostCells));
}

}  // namespace tulle
