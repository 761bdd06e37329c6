// Sums over users of vectors of few numbers, in which no user weighs more than any other.
#pragma once

#include "user_cells.hpp"

#include <tulle/privacy/protected.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace tulle {

// Writes the vector of a user, of her own cells and of public facts and releases, over zeros.
using WriteUserVector = std::function<void(std::size_t user, std::span<double> numbers)>;

// Each user's vector is scaled to length 1, or a little less (user_sums.hpp), and rounded to a public grid on
// which sums are exact: so one user more or less changes the sums by at most 1 in L2. A vector that is zero,
// or not finite, adds nothing.
std::vector<double> sums_of_user_vectors(const UserCells& data, double most_users, std::size_t numbers,
                                         std::size_t block_size, const WriteUserVector& write);

// The mean of two noisy answers to the same query, weighted by their precision: as accurate as one answer
// with both budgets.
Noisy combined(Noisy one, const Noisy& other);

}  // namespace tulle
