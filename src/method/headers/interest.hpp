// Users' interest from the cells that they have, without privacy.
#pragma once

#include <tulle/model/interest.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>

namespace tulle {

// Which positions of the mode `items`, of which there are at least so many, users have cells at: true counts.
// For the owner of the data.
Interest counted_interest(const Cells& cells, int users, int items, std::uint64_t positions);

}  // namespace tulle
