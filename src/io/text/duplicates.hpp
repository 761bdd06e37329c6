// Cells that are listed twice.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <utility>

namespace tulle {

// The first entry that repeats an earlier one: {earlier, later}. Takes 4 bytes an entry while it looks, or
// nothing when the cells are sorted.
std::optional<std::pair<std::size_t, std::size_t>> first_duplicate(const Cells& cells);

}  // namespace tulle
