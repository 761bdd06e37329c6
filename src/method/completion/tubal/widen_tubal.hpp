#pragma once

#include "cell_blocks.hpp"

#include <tulle/model/tubal.hpp>

namespace tulle {

// From a model of blocks to one of their cells, linear between the middles of blocks. Its tubal rank is at
// most the number of blocks along mode 1 and mode 2, and at most `rank` unless that is 0.
Tubal widen(const Tubal& model, const CellBlocks& blocks, int rank);

}  // namespace tulle
