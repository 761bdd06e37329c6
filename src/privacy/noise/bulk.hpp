// Normal and Laplace samples in blocks, without branches, so that the compiler vectorises the loops and the
// running time does not depend on the values. Only +, -, *, / and sqrt are used, so all machines compute the
// same values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::bulk {

inline constexpr std::size_t kTile = 1020;  // samples per block, from as many words; even

void normal_tile(const std::uint64_t* words, double scale, double* values);
void laplace_tile(const std::uint64_t* words, double scale, double* values);

}  // namespace tulle::bulk
