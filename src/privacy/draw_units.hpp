// Poisson sampling of units.
#pragma once

#include <tulle/privacy/account/sampling.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

// Of the units 0 .. count-1 those that join, each by a coin of its own, in order.
std::vector<std::uint64_t> draw_units(const PoissonSampler& sampler, std::uint64_t count, RandomBits& bits);

}  // namespace tulle
