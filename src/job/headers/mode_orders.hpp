// The order of modes, from what the owner states and from public labels.
#pragma once

#include <tulle/data/mode_order.hpp>
#include <tulle/tensor/dataset.hpp>

#include <string>
#include <vector>

namespace tulle {

// `stated`: modes by name or number, "hour%24" with a period; "none" alone: no mode has an order. Of other
// modes, those whose positions are numbers or dates may have one. Positions are in the order of their labels,
// if all of these are numbers or all are dates, else in that of the list.
std::vector<ModeOrder> mode_orders(const std::vector<std::string>& stated, const std::vector<Mode>& modes,
                                   const Shape& shape);

}  // namespace tulle
