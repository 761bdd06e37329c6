// Sums between tables of counts: those of one with fewer modes, made of one with more.
#pragma once

#include "count_table.hpp"

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace tulle {

// Calls visit(place) for every cell of a table in order, with its place in a table of some of its modes.
template <class Visit>
void for_each_place(const Shape& shape, ModeSet modes, ModeSet fewer, const Visit& visit) {
  std::array<std::size_t, kMaxOrder> steps{};
  std::array<Index, kMaxOrder> at{};
  std::size_t step = 1;
  for (int mode = shape.order() - 1; mode >= 0; --mode)
    if (has(fewer, mode)) steps[mode] = std::exchange(step, step * shape[mode]);
  for (std::size_t place = 0;;) {
    visit(place);
    int mode = shape.order() - 1;
    for (; mode >= 0; --mode) {
      if (!has(modes, mode)) continue;
      place += steps[mode];
      if (++at[mode] < shape[mode]) break;
      place -= steps[mode] * shape[mode];
      at[mode] = 0;
    }
    if (mode < 0) return;
  }
}

std::vector<double> summed(const Shape& shape, std::span<const double> values, ModeSet modes, ModeSet fewer);

}  // namespace tulle
