// Link prediction without a model: how active a position of the first mode is, times how often the
// combination of all other positions occurs. Factorizations are to be held against it.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

// A score for each cell, from the sums over the entries. Combinations without an entry rank below all others,
// by the position of the first mode.
std::vector<double> popularity(const SparseTensor& data, const Cells& cells);

}  // namespace tulle
