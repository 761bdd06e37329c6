// Cells of a table that are zeros because they are not listed.
#pragma once

#include <tulle/data/study.hpp>

#include <cstdint>

namespace tulle {

// All cells that are neither listed nor hidden or, if there are more than `most`, a uniformly random choice
// of `most` of them. In C order.
Cells unlisted_cells(const SparseTensor& data, const std::optional<Cells>& hidden, std::size_t most,
                     std::uint64_t seed);

// The numbers of cells in C order, ascending.
std::vector<std::size_t> cell_numbers(const Cells& cells);
Cells cells_numbered(const Shape& shape, const std::vector<std::size_t>& numbers);

}  // namespace tulle
