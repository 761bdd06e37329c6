// Initial offsets of positions, and their ridges.
#pragma once

#include <tulle/model/biases.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

struct OffsetPrior {
  Biases start;               // of the values divided by scale
  std::vector<double> ridge;  // one per mode: variance within positions over variance of the offsets
};

// Treats the offsets of a mode as random, with a variance estimated from the data (one-way random effects, by
// moments): a mode with an effect keeps its offsets nearly unshrunk, one without gets a ridge that removes
// them, and nothing is tuned by hand.
OffsetPrior estimate_offsets(const SparseTensor& observed, double scale);
// The same for given values of the cells, one each.
OffsetPrior estimate_offsets(const Cells& cells, std::vector<double> values);

}  // namespace tulle
