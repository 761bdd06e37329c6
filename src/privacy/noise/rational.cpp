#include "noise/check.hpp"

#include <tulle/privacy/noise/rational.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// value * 2^bits, with the bits that give a 40-bit numerator; multiplying by a power of two is exact.
struct Scaled {
  double value;
  int bits;
};

Scaled scale_up(double value) {
  checked_positive("rational", "value", value);
  checked_between("rational", "value", value, 0.0, static_cast<double>(Rational::kLimit));
  int exponent;
  std::frexp(value, &exponent);
  const int bits = std::clamp(40 - exponent, 0, 52);
  return {std::ldexp(value, bits), bits};
}

}  // namespace

Rational::Rational(std::uint64_t numerator, std::uint64_t denominator) {
  if (numerator == 0 || denominator == 0)
    fail_usage("rational: {}/{} must have a positive numerator and denominator", numerator, denominator);
  const std::uint64_t divisor = std::gcd(numerator, denominator);
  numerator_ = checked_between<std::uint64_t>("rational", "numerator", numerator / divisor, 1, kLimit);
  denominator_ = checked_between<std::uint64_t>("rational", "denominator", denominator / divisor, 1, kLimit);
}

Rational Rational::at_least(double value) {
  const Scaled scaled = scale_up(value);
  return {static_cast<std::uint64_t>(std::ceil(scaled.value)), std::uint64_t{1} << scaled.bits};
}

Rational Rational::at_most(double value) {
  const Scaled scaled = scale_up(value);
  if (scaled.value < 1) fail_usage("rational: value {} is below 2^-52 and cannot be rounded down", value);
  return {static_cast<std::uint64_t>(std::floor(scaled.value)), std::uint64_t{1} << scaled.bits};
}

}  // namespace tulle
