// Cells of one table of a study that are withheld from the fit and then predicted: link prediction (Ermis
// 2020, chapter 6). If unlisted cells are zeros, zeros are hidden and predicted as well as entries.
#pragma once

#include <tulle/data/study.hpp>

#include <cstdint>

namespace tulle {

// Hides a fraction of the known cells and returns them with their values. In a table with zeros and more than
// 2^24 cells, the fraction is of the listed cells only, with four zeros for each of them.
SparseTensor hide_cells(Study& study, int product, double fraction, std::uint64_t seed);

// Cold start: hides all cells of `count` positions of a mode, drawn among those that have an entry. An Error
// for a table with zeros and more than 2^24 cells.
SparseTensor hide_positions(Study& study, int product, int mode, Index count, std::uint64_t seed);

// Hides given cells, such as those of a test file.
void hide_listed(Study& study, int product, const Cells& cells);

}  // namespace tulle
