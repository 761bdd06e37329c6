// Zeros of tables whose divergence has no closed form for them.
#pragma once

#include <tulle/data/study.hpp>

namespace tulle {

// Whether solvers see a sample of the table's zeros, weighted up, instead of all of them; and how many.
bool samples_zeros(const Table& table);
std::size_t zero_sample_size(const Table& table);

}  // namespace tulle
