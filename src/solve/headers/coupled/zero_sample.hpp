// Zeros of tables whose divergence has no closed form for sums over zeros.
#pragma once

#include <tulle/data/study.hpp>

namespace tulle {

// True if solvers get a weighted random sample of the table's zeros instead of all of them; and its size.
bool samples_zeros(const Table& table);
std::size_t zero_sample_size(const Table& table);

}  // namespace tulle
