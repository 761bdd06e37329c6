#include "chunk_order.hpp"

#include <tulle/tensor/group_entries.hpp>

#include <algorithm>

namespace tulle {

void ChunkOrder::sort(const UserCells& data, std::size_t shared, const UserChunk& chunk) {
  chunk_ = chunk;
  places_.resize(chunk.cells());
  std::size_t user = chunk.first_user;
  begins_ = group_entries(
      chunk.cells(), data.positions_of(shared),
      [&](std::size_t cell) { return data.positions(chunk.first_cell + cell)[shared]; },
      [&](std::size_t cell, std::size_t place) {
        while (chunk.first_cell + cell >= data.end(user)) ++user;
        places_[place] = {static_cast<std::uint32_t>(user - chunk.first_user),
                          static_cast<std::uint32_t>(cell)};
      });
  cut_into_tasks();
}

std::size_t ChunkOrder::position(std::size_t place) const {
  const auto behind = std::upper_bound(begins_.begin(), begins_.end(), place);
  return static_cast<std::size_t>(behind - begins_.begin()) - 1;
}

bool ChunkOrder::is_first(std::size_t place) const {
  return places_[place].user != places_[place - 1].user || begins_[position(place)] == place;
}

void ChunkOrder::cut_into_tasks() {
  constexpr std::size_t kCellsOfTask = 2048;
  tasks_.clear();
  for (std::size_t place = 0; place < cells(); place += kCellsOfTask) {
    while (place > 0 && place < cells() && !is_first(place)) ++place;
    if (place < cells()) tasks_.push_back(place);
  }
  tasks_.push_back(cells());
}

}  // namespace tulle
