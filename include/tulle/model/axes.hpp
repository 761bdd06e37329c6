// Indices of an array, as numbers into a list of their sizes; it lists its own in C order.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

using Axes = std::vector<int>;

inline std::size_t cells_of(std::span<const Index> sizes, const Axes& axes) {
  std::size_t cells = 1;
  for (int axis : axes) cells *= sizes[static_cast<std::size_t>(axis)];
  return cells;
}

inline bool holds(const Axes& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// Those of the first, then what the second has more.
inline Axes united(const Axes& first, const Axes& second) {
  Axes all = first;
  for (int axis : second)
    if (!holds(all, axis)) all.push_back(axis);
  return all;
}

}  // namespace tulle

#pragma GCC visibility pop
