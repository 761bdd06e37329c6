// Positions in files, which may be of any number type, and are checked before they become an Index.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tulle {

// A 0-based position in a mode of the given size. `element` is its 0-based place in the array `name`.
Index to_position(const std::string& name, double value, Index size, std::uint64_t element);

// Expands the compressed rows of a CSR matrix, or columns of a CSC matrix: entries pointer[i] to pointer[i+1]
// - 1 lie in row i. Pointers must start at 0, never decrease, and stay within the entries.
class PointerExpander {
 public:
  PointerExpander(std::string name, Index size, std::uint64_t entries)
      : name_(std::move(name)), size_(size), entries_(entries) {}

  void append(std::span<const double> pointers);
  std::vector<Index> take();  // the row of each entry; throws an Error unless size + 1 pointers arrived

 private:
  std::string name_;
  Index size_;
  std::uint64_t entries_;
  std::uint64_t arrived_ = 0;
  std::vector<Index> positions_;
};

}  // namespace tulle
