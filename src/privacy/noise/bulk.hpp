// Standard normal and Laplace numbers by the thousand: no branches, so that the compiler makes vectors of
// them, and so that the time does not depend on the numbers. Only +, -, *, / and sqrt are used, so every
// machine gives the same ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::bulk {

inline constexpr std::size_t kTile = 1020;  // numbers made at a time, from as many words; even

void normal_tile(const std::uint64_t* words, double scale, double* values);
void laplace_tile(const std::uint64_t* words, double scale, double* values);

}  // namespace tulle::bulk
