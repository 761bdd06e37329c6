// Exact coins in integer arithmetic, for rationals wider than the public ones.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <cstdint>

namespace tulle::exact {

__extension__ using Wide = unsigned __int128;

// A longer run of successful coins means that the bits are not random: with coins of exp(-1/2), the most
// likely ones, its probability is exp(-250).
inline constexpr int kMaxSteps = 500;

[[noreturn]] inline void fail_source() {
  fail(
      "the source of random bits is broken: it gave an outcome of probability below 2^-360; no noise can be "
      "drawn");
}

// Uniform on 0 .. bound-1 (Lemire 2019): the high word of w * bound, redrawn while the low word is one of the
// 2^64 mod bound that would favour some results.
inline std::uint64_t uniform_below(RandomBits& bits, std::uint64_t bound) {
  Wide product = Wide{bits.word()} * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t unfair = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < unfair) product = Wide{bits.word()} * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

// True with probability p/q, for 0 <= p <= q < 2^63. A real V, uniform on [0, 1), is known by its first 64
// bits, the word w: V in [w, w+1) / 2^64. So V < p/q if (w+1) q <= p 2^64, and V >= p/q if w q >= p 2^64.
// Otherwise the remainder r = p 2^64 - w q lies strictly between 0 and q, and V < p/q exactly if the rest of
// V, again uniform, is below r/q.
inline bool bernoulli(RandomBits& bits, std::uint64_t p, std::uint64_t q) {
  for (;;) {
    const Wide drawn = Wide{bits.word()} * q;
    const Wide wanted = Wide{p} << 64;
    if (drawn >= wanted) return false;
    const Wide rest = wanted - drawn;
    if (rest >= q) return true;
    p = static_cast<std::uint64_t>(rest);
  }
}

// The same for q < 2^126. w q has up to 190 bits: high 2^64 + low.
inline bool bernoulli(RandomBits& bits, Wide p, Wide q) {
  for (;;) {
    const std::uint64_t word = bits.word();
    const Wide product = Wide{word} * static_cast<std::uint64_t>(q);
    const Wide high = Wide{word} * static_cast<std::uint64_t>(q >> 64) + (product >> 64);
    const auto low = static_cast<std::uint64_t>(product);
    if (high >= p) return false;
    if ((p - high) >> 63 != 0) return true;  // the remainder is above 2^126
    const Wide rest = ((p - high) << 64) - low;
    if (rest >= q) return true;
    p = rest;
  }
}

// True with probability exp(-p/q), for 0 <= p <= q, 2^9 q within the bounds above (von Neumann 1951; Canonne
// et al. 2020, Algorithm 1). Coins of p/q, p/2q, p/3q, .. are thrown until one fails; the k-th is thrown with
// probability (p/q)^(k-1)/(k-1)!, so the first failure is at an odd k with probability sum_j (-p/q)^j / j!.
template <class Int>
bool bernoulli_exp_fraction(RandomBits& bits, Int p, Int q) {
  for (int k = 1; k <= kMaxSteps; ++k)
    if (!bernoulli(bits, p, q * static_cast<Int>(k))) return k % 2 != 0;
  fail_source();
}

// True with probability exp(-1): the coin p/q = 1 needs no bits.
inline bool bernoulli_exp_one(RandomBits& bits) {
  for (std::uint64_t k = 2; k <= kMaxSteps; ++k)
    if (!bernoulli(bits, std::uint64_t{1}, k)) return k % 2 != 0;
  fail_source();
}

// True with probability exp(-p/q) for any p below 2^126: one coin exp(-1) per whole unit, stopping at the
// first failure.
template <class Int>
bool bernoulli_exp(RandomBits& bits, Int p, Int q) {
  for (int unit = 0; p > q; ++unit) {
    if (unit == kMaxSteps) fail_source();
    if (!bernoulli_exp_one(bits)) return false;
    p -= q;
  }
  return bernoulli_exp_fraction(bits, p, q);
}

}  // namespace tulle::exact
