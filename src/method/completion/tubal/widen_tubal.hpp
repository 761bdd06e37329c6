#pragma once

#include "cell_blocks.hpp"

#include <tulle/model/tubal.hpp>

namespace tulle {

// From a model of blocks to one of their cells, linear between the middles of blocks. Its tubal rank is that
// of the frontal slices at most: no more than there are blocks along mode 1 or mode 2, and no more than
// `rank` unless that is 0.
Tubal widen(const Tubal& model, const CellBlocks& blocks, int rank);

}  // namespace tulle
