// The listed cells of a sparse tensor in lexicographic order: what kernels walk through, so that work shared
// by neighbouring cells is done once.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

struct SortedEntries {
  std::vector<int> modes;                   // of each level; the order is by modes[0], then by modes[1], ..
  std::vector<std::vector<Index>> columns;  // positions, by level
  std::vector<float> values;
  std::vector<std::size_t> source;  // where each entry stands in the tensor
  std::vector<std::uint8_t>
      fresh;  // the first level whose position differs from the entry before; the last one if none
  std::vector<std::size_t> starts;  // entries of position i of level 0: starts[i] .. starts[i+1]-1

  std::size_t size() const { return values.size(); }
  int levels() const { return static_cast<int>(modes.size()); }
};

// The entries by modes[0], then by modes[1], ..; in the order of the list where they agree in all of them.
std::vector<std::size_t> lexicographic_order(const Cells& cells, std::span<const int> modes);

SortedEntries sort_entries(const SparseTensor& tensor, std::vector<int> modes);

// The given mode first, then the others from small to large: small modes repeat most, so most is shared.
std::vector<int> modes_from(const Shape& shape, int first);

// All modes but one, from small to large, then that one: the order that brings the fibers of the mode
// together.
std::vector<int> modes_towards(const Shape& shape, int last);

}  // namespace tulle
