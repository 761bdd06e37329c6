// The cells of a chunk of users by their position in one shared mode, those of a position in the order of
// users.
#pragma once

#include "held_users.hpp"

#include <cstdint>

namespace tulle {

class ChunkOrder {
 public:
  void sort(const UserCells& data, std::size_t shared, const UserChunk& chunk);

  std::size_t cells() const { return places_.size(); }
  std::size_t user(std::size_t place) const { return chunk_.first_user + places_[place].user; }
  std::size_t cell(std::size_t place) const { return chunk_.first_cell + places_[place].cell; }
  std::size_t begin(std::size_t position) const { return begins_[position]; }  // of the places of a position
  std::size_t end(std::size_t position) const { return begins_[position + 1]; }
  std::size_t position(std::size_t place) const;  // takes a search

  // Parts of the places, none of which divides the cells of a user at a position.
  std::size_t tasks() const { return tasks_.size() - 1; }
  std::size_t task_begin(std::size_t task) const { return tasks_[task]; }

 private:
  struct Place {
    std::uint32_t user, cell;  // counted from the chunk's first; private methods take up to 2^31 cells
  };

  bool is_first(std::size_t place) const;  // of its user at its position; not of place 0
  void cut_into_tasks();

  UserChunk chunk_{};
  std::vector<std::size_t> begins_, tasks_;
  std::vector<Place> places_;
};

}  // namespace tulle
