// The order of the positions of a mode, a public fact: hours, days, rows of a picture.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct ModeOrder {
  // Positions that are numbers may have an order: what is released decides whether neighbours are alike.
  enum class Kind { none, possible, stated };
  Kind kind = Kind::possible;
  std::vector<double> places = {};  // of the positions on a line; empty: their numbers
  // Places that are so far apart are alike; 0: none. Places are whole numbers then.
  std::uint64_t period = 0;

  double place(Index position) const { return places.empty() ? position : places[position]; }
  bool operator==(const ModeOrder&) const = default;
};

// An Error where they are not those of the modes of this shape. No orders at all: all are possible.
void check(const std::vector<ModeOrder>& orders, const Shape& shape);

}  // namespace tulle

#pragma GCC visibility pop
