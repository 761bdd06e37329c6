#include "noise/check.hpp"
#include "noise/exact.hpp"

#include <tulle/privacy/noise/bernoulli.hpp>

#include <cmath>

namespace tulle {

std::uint64_t uniform_below(RandomBits& bits, std::uint64_t bound) {
  if (bound == 0) fail_usage("uniform integer: bound 0 must be positive");
  return exact::uniform_below(bits, bound);
}

bool bernoulli(RandomBits& bits, Rational probability) {
  if (probability.numerator() > probability.denominator())
    fail_usage("coin: probability {}/{} must be at most 1", probability.numerator(),
               probability.denominator());
  return exact::bernoulli(bits, probability.numerator(), probability.denominator());
}

bool bernoulli_exp(RandomBits& bits, Rational exponent) {
  return exact::bernoulli_exp(bits, exponent.numerator(), exponent.denominator());
}

// sign(x) with probability |x|, else a fair coin. |x| = fraction 2^exponent, a 53-bit fraction: -exponent
// zero bits and then a comparison of 53 more.
bool bernoulli_sign(RandomBits& bits, double x) {
  checked_between("coin", "x", x, -1.0, 1.0);
  const bool fair = (bits.word() & 1) != 0;
  int exponent;
  const auto fraction = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(x), &exponent), 53));
  if (exponent > 0) return x > 0;  // |x| = 1
  for (; exponent <= -64; exponent += 64)
    if (bits.word() != 0) return fair;
  if (exponent < 0 && bits.word() >> (64 + exponent) != 0) return fair;
  return (bits.word() >> 11) < fraction ? x > 0 : fair;
}

}  // namespace tulle
