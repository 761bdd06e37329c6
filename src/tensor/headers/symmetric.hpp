// Cells of symmetric matrices and 3-way tensors, each stored once. A cell is a multiset {a <= b} or {a <= b
// <= c} of positions; it represents every cell of the full tensor with an ordering of them.
#pragma once

#include <tulle/tensor/shape.hpp>

namespace tulle {

inline std::size_t pair_cell(std::size_t a, std::size_t b) {
  return b * (b + 1) / 2 + a;
}
inline std::size_t triple_cell(std::size_t a, std::size_t b, std::size_t c) {
  return c * (c + 1) * (c + 2) / 6 + pair_cell(a, b);
}

// The number of cells for `size` positions.
inline std::size_t pair_cells(std::size_t size) {
  return size * (size + 1) / 2;
}
inline std::size_t triple_cells(std::size_t size) {
  return size * (size + 1) * (size + 2) / 6;
}

inline int orders_of(std::size_t a, std::size_t b) {
  return a == b ? 1 : 2;
}
inline int orders_of(std::size_t a, std::size_t b, std::size_t c) {
  if (a == b && b == c) return 1;
  return a == b || b == c ? 3 : 6;
}

// Calls visit(cell, a, b) or visit(cell, a, b, c) for all cells, in the order of their numbers.
template <class Visit>
void for_each_pair(std::size_t size, Visit&& visit) {
  std::size_t cell = 0;
  for (std::size_t b = 0; b < size; ++b)
    for (std::size_t a = 0; a <= b; ++a) visit(cell++, a, b);
}
template <class Visit>
void for_each_triple(std::size_t size, Visit&& visit) {
  std::size_t cell = 0;
  for (std::size_t c = 0; c < size; ++c)
    for (std::size_t b = 0; b <= c; ++b)
      for (std::size_t a = 0; a <= b; ++a) visit(cell++, a, b, c);
}

}  // namespace tulle
