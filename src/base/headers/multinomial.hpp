// Binomial and multinomial random numbers, for fitting and synthetic data. Never for privacy noise.
#pragma once

#include <tulle/base/random.hpp>

#include <span>

namespace tulle {

// The number of successes in `count` trials. Time grows with the logarithm of the count (Relles 1972).
std::uint64_t draw_binomial(Random& random, std::uint64_t count, double probability);

// Distributes `count` trials over categories with the given weights, whose sum is above 0, and adds the
// number in each category to `sums`.
void draw_multinomial(Random& random, std::uint64_t count, std::span<const double> weights,
                      std::span<double> sums);

}  // namespace tulle
