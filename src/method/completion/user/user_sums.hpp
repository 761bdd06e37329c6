// Sums over users in which no user weighs more than any other: what joint privacy releases.
#pragma once

#include "estimate/cells_by_position.hpp"

#include <tulle/tensor/matrix.hpp>

#include <functional>
#include <span>
#include <vector>

namespace tulle {

// Observed cells, grouped by their position in every mode. Only queries and protected values may see it.
struct UserCells {
  SparseTensor tensor;
  int users;                            // the mode that users are
  std::vector<CellsByPosition> groups;  // of each mode

  UserCells(const SparseTensor& observed, int user_mode) : tensor(observed), users(user_mode) {
    for (int mode = 0; mode < observed.order(); ++mode) groups.emplace_back(observed.cells(), mode);
  }
};

// Every cell gives `width` numbers to its position in each of the modes; they may depend on what else the
// same user has, on nothing of other users.
using NumbersOfCell = std::function<void(std::size_t cell, Vector& numbers)>;

// For each mode and each of its positions, `width` sums. What a user adds to all of them together is a vector
// that is scaled to `length`, or a little less, and then rounded to a public grid on which sums are exact: so
// one user more or less changes the sums by at most `length` in L2. Two cells of a user may share a position,
// hence her vector is added up before it is measured: the sum of the squares of single cells would be too
// short. A user whose vector is zero, or not finite, adds nothing.
// `most_users`, a public bound of how many there may be, chooses the grid.
std::vector<double> sums_of_equal_users(const UserCells& data, double most_users, std::span<const int> modes,
                                        Eigen::Index width, double length,
                                        const NumbersOfCell& numbers_of_cell);

}  // namespace tulle
