// The most even table with given sums.
#pragma once

#include "count_table.hpp"

#include <span>
#include <vector>

namespace tulle {

// A table of fewer modes, without negative values.
struct TableOfSums {
  ModeSet modes;
  std::span<const double> values;
};

// The table of maximum entropy whose sums are those of its parents, by iterative proportional fitting; where
// these do not agree, close to all of them.
std::vector<double> maximum_entropy(const Shape& shape, ModeSet modes, std::span<const TableOfSums> parents);

}  // namespace tulle
