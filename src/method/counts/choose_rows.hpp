// How many rows of a user count, from a noisy number of users by rows and public facts.
#pragma once

#include "users_by_rows.hpp"

#include <tulle/tensor/shape.hpp>

#include <cstdint>

namespace tulle {

// More rows mean more noise, fewer lose what is beyond. A power of 2 is chosen under which the tables of
// counts are expected to be closest to those of all rows: by the mean logarithm of their mean square errors,
// which also decides which tables are released, where `epsilon` is for them. The expectation is over logs
// that the noisy numbers may be of.
std::uint64_t choose_rows_per_user(const Shape& shape, double epsilon, const Release& users);

}  // namespace tulle
