#include "noise/bulk.hpp"

#include <tulle/base/multiarch.hpp>

#include <bit>
#include <cmath>
#include <numbers>

namespace tulle::bulk {
namespace {

// The double nearest to an unsigned word, from pieces of 32 bits placed in the fractions of 2^84 and 2^52:
// AVX2 has no such conversion, and without one the loops below would not be vectorised.
inline double to_double(std::uint64_t word) {
  const auto high = std::bit_cast<double>((word >> 32) | 0x4530000000000000);
  const auto low = std::bit_cast<double>((word & 0xffffffff) | 0x4330000000000000);
  return (high - (0x1p84 + 0x1p52)) + low;
}

// Horner's rule, highest power first.
template <class... Rest>
inline double polynomial(double x, double first, Rest... rest) {
  double result = first;
  ((result = result * x + rest), ...);
  return result;
}

// ln(x) - log2_unit ln(2) for a normal double x. x = 2^k m with m in [sqrt(1/2), sqrt(2)), ln m = 2 artanh(s)
// with s = (m-1)/(m+1), |s| < 0.1716: the series to s^19 leaves out less than 2^-55 of the sum.
inline double log_in_units(double x, double log2_unit) {
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd, fraction_mask = 0x000fffffffffffff;
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(x) + (0x3ff0000000000000 - root_half);
  const auto k = std::bit_cast<double>((shifted >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  const auto m = std::bit_cast<double>((shifted & fraction_mask) + root_half);
  const double s = (m - 1) / (m + 1), s2 = s * s;
  const double series =
      polynomial(s2, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3);
  return (k - log2_unit) * std::numbers::ln2 + (2 * s + s * s2 * series);
}

struct Circle {
  double cosine, sine;
};

// cos and sin of word/2^64 turns: the nearest quarter turn, and Taylor's series on the rest, [-pi/4, pi/4).
inline Circle turn(std::uint64_t word) {
  const std::uint64_t rounded = word + (std::uint64_t{1} << 61);
  const std::uint64_t quarter = rounded >> 62;
  const std::uint64_t rest = (rounded & 0x3fffffffffffffff) >> 10;  // 52 bits, from -1/8 turn
  const double x =
      (std::bit_cast<double>(rest | 0x4330000000000000) - (0x1p52 + 0x1p51)) * (0x1p-53 * std::numbers::pi);
  const double x2 = x * x;
  const double sine = x + x * x2 *
                              polynomial(x2, -1 / 1307674368000.0, 1 / 6227020800.0, -1 / 39916800.0,
                                         1 / 362880.0, -1 / 5040.0, 1 / 120.0, -1 / 6.0);
  const double cosine = 1 + x2 * polynomial(x2, 1 / 20922789888000.0, -1 / 87178291200.0, 1 / 479001600.0,
                                            -1 / 3628800.0, 1 / 40320.0, -1 / 720.0, 1 / 24.0, -1 / 2.0);
  // An odd number of quarters swaps the two; the signs follow the quadrant.
  const auto c = std::bit_cast<std::uint64_t>(cosine), s = std::bit_cast<std::uint64_t>(sine);
  const std::uint64_t exchange = (c ^ s) & (0 - (quarter & 1));
  return {std::bit_cast<double>(c ^ exchange ^ (((quarter + 1) & 2) << 62)),
          std::bit_cast<double>(s ^ exchange ^ ((quarter & 2) << 62))};
}

}  // namespace

// Box and Muller 1958: sqrt(-2 ln u) (cos v, sin v), u = (word + 1/2) / 2^64.
TULLE_MULTIARCH void normal_tile(const std::uint64_t* words, double scale, double* values) {
  constexpr std::size_t half = kTile / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const double radius = scale * std::sqrt(-2 * log_in_units(to_double(words[i]) + 0.5, 64));
    const Circle circle = turn(words[half + i]);
    values[i] = radius * circle.cosine;
    values[half + i] = radius * circle.sine;
  }
}

// -ln u with the sign of the lowest bit, u = (the other 63 bits + 1/2) / 2^63.
TULLE_MULTIARCH void laplace_tile(const std::uint64_t* words, double scale, double* values) {
  for (std::size_t i = 0; i < kTile; ++i) {
    const double magnitude = -scale * log_in_units(to_double(words[i] >> 1) + 0.5, 63);
    values[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) ^ (words[i] << 63));
  }
}

}  // namespace tulle::bulk
