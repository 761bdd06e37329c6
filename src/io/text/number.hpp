// Correctly rounded parsing of numbers: the result is the number of its type nearest to the text.
//
// kNumberPadding bytes after the text of a number must be readable, and the first of them must not belong to
// a number (a line end).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace tulle {

inline constexpr std::size_t kNumberPadding = 16;

enum class NumberFault : std::uint8_t { none, malformed, nan, infinite, too_large };

template <class Real>
struct Number {
  const char* end;  // after the number
  Real value;       // if the number is too large, the largest value of its sign
  NumberFault fault;
};

// Powers of ten: as integers up to eight digits, as doubles while they are exact.
inline constexpr std::array<std::uint64_t, 9> kWholePowers{1,       10,        100,        1000,       10'000,
                                                           100'000, 1'000'000, 10'000'000, 100'000'000};
inline constexpr std::array<double, 23> kExactPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Eight bytes of text, the first one in the lowest byte, with digits as 0..9.
inline std::uint64_t word_of_digits(const char* text) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word;
  std::memcpy(&word, text, sizeof word);
  return word ^ 0x3030'3030'3030'3030;
}

// The same for the first `count` bytes only, from 1 to 8, preceded by zeros.
inline std::uint64_t word_of_digits(const char* text, std::uint64_t count) {
  return word_of_digits(text) << (-8 * count % 64);
}

// The number whose eight digits are the bytes of the word: pairs, then fours, then all of them (D. Lemire,
// "Number parsing at a gigabyte per second", 2021, section 4). With leading zeros, fewer digits take the same
// path without a branch on their number.
inline std::uint64_t join_digits(std::uint64_t word) {
  word = word * 10 + (word >> 8);
  return ((word & 0xff'0000'00ff) * 0xf'4240'0000'0064 +
          ((word >> 16) & 0xff'0000'00ff) * 0x2710'0000'0001) >>
         32;
}

// Appends the digits from `text` on to `value`, eight at a time (too many of them wrap around). Returns their
// end.
inline const char* take_digits(const char* text, std::uint64_t& value) {
  while (true) {
    const std::uint64_t word = word_of_digits(text);
    // A byte above 9 gets its high bit set. A carry may also set that of a later byte, but only the first one
    // matters.
    const std::uint64_t others = (word | (word + 0x7676'7676'7676'7676)) & 0x8080'8080'8080'8080;
    const int digits = others == 0 ? 8 : std::countr_zero(others) / 8;
    if (digits == 0) return text;
    value = value * kWholePowers[digits] + join_digits(word << (64 - 8 * digits));
    text += digits;
    if (digits < 8) return text;
  }
}

// The same number; with `clamp`, too large a number is valid as the largest one.
template <class Real>
Number<Real> clamped(Number<Real> number, bool clamp) {
  if (clamp && number.fault == NumberFault::too_large) number.fault = NumberFault::none;
  return number;
}

// Parses numbers that the fast path of parse_real does not handle, and words such as "nan".
template <class Real>
Number<Real> parse_hard_real(const char* text);

// The bits of a double that do not fit into a float, and their value halfway between two floats (that are not
// subnormal).
inline constexpr std::uint64_t kBitsBeyondFloat = (std::uint64_t{1} << 29) - 1;
inline constexpr std::uint64_t kFloatMidpoint = std::uint64_t{1} << 28;

// [+-] digits [. digits] [e [+-] digits], or nan, inf, infinity in any case.
//
// Integers up to 2^53 and powers of ten up to 10^22 are exact in a double, so one multiplication or division
// rounds once (W. Clinger, "How to read floating point numbers accurately", 1990). Rounding that double to a
// float rounds a second time, which differs from rounding once only if the double lies halfway between two
// floats: parse_hard_real parses such numbers.
template <class Real>
Number<Real> parse_real(const char* text) {
  const bool negative = *text == '-';
  const char* at = text + (negative || *text == '+');
  std::uint64_t mantissa = 0;
  const char* const whole = at;
  at = take_digits(at, mantissa);
  std::ptrdiff_t digits = at - whole;
  std::ptrdiff_t exponent = 0;
  if (*at == '.') {
    const char* const fraction = ++at;
    at = take_digits(at, mantissa);
    exponent = fraction - at;
    digits -= exponent;
  }
  if ((*at | 0x20) == 'e') {
    const bool down = at[1] == '-';
    const char* const first = at + 1 + (down || at[1] == '+');
    std::uint64_t written = 0;
    at = take_digits(first, written);
    if (at == first || at - first > 4) return parse_hard_real<Real>(text);
    exponent += down ? -static_cast<std::ptrdiff_t>(written) : static_cast<std::ptrdiff_t>(written);
  }
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  if (digits - 1 > 18 || digits == 0 || mantissa > kExact || exponent < -22 || exponent > 22)
    return parse_hard_real<Real>(text);
  double value = static_cast<double>(mantissa);
  value = exponent < 0 ? value / kExactPowers[-exponent] : value * kExactPowers[exponent];
  if constexpr (std::is_same_v<Real, float>) {
    const bool halfway = (std::bit_cast<std::uint64_t>(value) & kBitsBeyondFloat) == kFloatMidpoint;
    const bool subnormal = value < std::numeric_limits<float>::min() && mantissa != 0;
    if (halfway || subnormal || value > std::numeric_limits<float>::max()) return parse_hard_real<Real>(text);
  }
  return {at, static_cast<Real>(negative ? -value : value), NumberFault::none};
}

extern template Number<float> parse_hard_real<float>(const char*);
extern template Number<double> parse_hard_real<double>(const char*);

// Parses a field that is a number: blanks around it are allowed, anything else is malformed. Needs no
// padding.
Number<double> parse_field(std::string_view field);

}  // namespace tulle
