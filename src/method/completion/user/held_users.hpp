// Some users in order, and the terms from which the vectors of their cells are computed.
#pragma once

#include "user_cells.hpp"

#include <cstddef>
#include <vector>

namespace tulle {

struct UserChunk {
  std::size_t first_user, last_user;  // the last is not one of them
  std::size_t first_cell, last_cell;

  std::size_t users() const { return last_user - first_user; }
  std::size_t cells() const { return last_cell - first_cell; }
};

// How many numbers are held of a user and of each of her cells.
struct HeldSizes {
  std::size_t of_user, of_cell;

  std::size_t numbers(const UserChunk& chunk) const {  // a weight for every user among them
    return chunk.users() * (of_user + 1) + chunk.cells() * of_cell;
  }
};

// The terms from which the vector of one cell is computed.
struct HeldCell {
  std::size_t cell;
  const double* of_user;
  const double* of_cell;
};

// The numbers of a chunk, in memory of the caller's: those of the users, of the cells, and the weights.
class HeldUsers {
 public:
  HeldUsers(const HeldSizes& sizes, const UserChunk& chunk, double* memory)
      : sizes_(sizes),
        chunk_(chunk),
        users_(memory),
        cells_(users_ + chunk.users() * sizes.of_user),
        weights_(cells_ + chunk.cells() * sizes.of_cell) {}

  double* of_user(std::size_t user) const { return users_ + (user - chunk_.first_user) * sizes_.of_user; }
  double* of_cell(std::size_t cell) const { return cells_ + (cell - chunk_.first_cell) * sizes_.of_cell; }
  double& weight(std::size_t user) const { return weights_[user - chunk_.first_user]; }
  HeldCell held(std::size_t user, std::size_t cell) const { return {cell, of_user(user), of_cell(cell)}; }

 private:
  HeldSizes sizes_;
  UserChunk chunk_;
  double *users_, *cells_, *weights_;
};

// Divides the users from `first` to before `last` into chunks; every chunk but the last holds at least
// `numbers` numbers.
std::vector<UserChunk> chunks_of_users(const UserCells& data, std::size_t first, std::size_t last,
                                       const HeldSizes& sizes, std::size_t numbers);

}  // namespace tulle
