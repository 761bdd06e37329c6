// Poisson sampling of units.
#pragma once

#include <tulle/privacy/account/sampling.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

// The units of 0 .. count-1 that join, each by its own coin, in order.
std::vector<std::uint64_t> draw_units(const PoissonSampler& sampler, std::uint64_t count, RandomBits& bits);

}  // namespace tulle
