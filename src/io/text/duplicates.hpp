// Cells that are listed twice.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <utility>

namespace tulle {

// The first entry that repeats an earlier one: {earlier, later}. The search takes 4 bytes per entry, or none
// if the cells are sorted.
std::optional<std::pair<std::size_t, std::size_t>> first_duplicate(const Cells& cells);

}  // namespace tulle
