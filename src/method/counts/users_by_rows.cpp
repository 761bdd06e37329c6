// Pilot of the rows of users (Tulle).
//
// Unit, relation:  user (named mode), add-remove. Public: rows of a user that count in one cell, the bins.
// Releases:        the number of users by their number of rows, in 17 bins: 1, 2, to 4, to 8 and so on to
//                  32,768, and more. Rows at positions that are not public were dropped before. A user with
//                  rows is in one bin, which follows from the user's own rows, and changes it by 1; without
//                  rows in none. Discrete Laplace noise.
// After that free: how many rows of a user count (choose_rows.hpp). The noise of all that follows is for as
//                  many, so that its cost does not depend on the choice.
// Cost:            O(rows log rows) time, O(rows) memory.
#include "users_by_rows.hpp"

#include "rows_of_users.hpp"

#include <algorithm>
#include <bit>

namespace tulle {
namespace {

// With large epsilon no noise is left that a double shows; no estimate divides by 0.
constexpr double kLeastDeviation = 1e-100;

std::vector<double> users_by_rows(const SparseTensor& events, int user_mode, std::uint64_t per_cell) {
  std::vector<double> users(kRowBins);
  for (const std::uint64_t rows : rows_by_user(events, user_mode, per_cell))
    if (rows > 0) ++users[std::min<std::size_t>(std::bit_width(rows - 1), kRowBins - 1)];
  return users;
}

}  // namespace

Release release_users_by_rows(const Protected<SparseTensor>& events, int user_mode, std::uint64_t per_cell,
                              double epsilon, Curator& curator) {
  const Sensitivity sensitivity = Sensitivity::one_coordinate(1, curator.unit(), curator.relation());
  const AdditiveNoise noise = AdditiveNoise::discrete_laplace(sensitivity, epsilon, kRowBins);
  Noisy users = curator.release(events, noise, "users by their number of rows", [&](const SparseTensor& all) {
    return users_by_rows(all, user_mode, per_cell);
  });
  users.deviation = std::max(users.deviation, kLeastDeviation);
  return Release::of(kUsersByRows, curator, std::move(users));
}

}  // namespace tulle
