// Users' interest from the cells that they have, without privacy.
#pragma once

#include <tulle/model/interest.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>

namespace tulle {

// True counts of which positions of the mode `items` users have cells at; the mode has at least `positions`
// positions. For the owner of the data.
Interest counted_interest(const Cells& cells, int users, int items, std::uint64_t positions);

}  // namespace tulle
