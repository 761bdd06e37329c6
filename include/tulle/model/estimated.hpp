// Sums over blocks of cells, with the standard deviations of their errors.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The positions of each mode that a block has; none of a mode: all of them.
using Block = std::vector<std::vector<Index>>;

// A number and the standard deviation of its error.
struct Estimated {
  double mean = 0, stddev = 0;
};

// An Error unless it has all modes, with positions of each that there are, once each.
void check_block(const Shape& shape, const Block& block);

}  // namespace tulle

#pragma GCC visibility pop
