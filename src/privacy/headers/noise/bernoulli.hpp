// Exact coins: the probability is the stated one, not a double near it. Only integers are compared.
#pragma once

#include <tulle/privacy/noise/random_bits.hpp>
#include <tulle/privacy/noise/rational.hpp>

#include <cstdint>

namespace tulle {

std::uint64_t uniform_below(RandomBits& bits, std::uint64_t bound);  // uniform on 0 .. bound-1; bound > 0

bool bernoulli(RandomBits& bits, Rational probability);   // probability <= 1
bool bernoulli_exp(RandomBits& bits, Rational exponent);  // true with probability exp(-exponent)

// True with probability (1 + x) / 2 exactly, for any double x in [-1, 1].
bool bernoulli_sign(RandomBits& bits, double x);

}  // namespace tulle
