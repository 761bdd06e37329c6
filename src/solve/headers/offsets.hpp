// How far the offsets of positions may be trusted, and where they start.
#pragma once

#include <tulle/model/biases.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

struct OffsetPrior {
  Biases start;               // of the values divided by scale
  std::vector<double> ridge;  // one per mode: variance within positions over variance of the offsets
};

// Treats the offsets of a mode as random, with a variance that the data tell (one-way random effects, by
// moments): a mode that matters keeps nearly all of its offsets, one that does not gets a ridge that removes
// them, and neither is tuned by hand.
OffsetPrior estimate_offsets(const SparseTensor& observed, double scale);

}  // namespace tulle
