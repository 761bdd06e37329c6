// Users by how many rows they have: a pilot that is paid for where nobody states how many rows of a user
// count.
#pragma once

#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/releases.hpp>
#include <tulle/tensor/sparse.hpp>

#include <array>
#include <cstdint>

namespace tulle {

// Bin k: users with more than 2^(k-1) rows and at most 2^k; the last has those with more, too.
inline constexpr std::size_t kRowBins = 17;
using UsersByRows = std::array<double, kRowBins>;

// Of epsilon. A twentieth more noise on the tables is what they lose at most where users are many, and where
// they are a hundred the noise of a bin at epsilon 1 is below their number.
inline constexpr double kShareOfPilot = 0.05;

inline constexpr const char* kUsersByRows = "users by rows";  // id of its release

// Of rows in one cell `per_cell` count at most.
Release release_users_by_rows(const Protected<SparseTensor>& events, int user_mode, std::uint64_t per_cell,
                              double epsilon, Curator& curator);

}  // namespace tulle
