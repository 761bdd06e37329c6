#include "text/number.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <string>

namespace tulle {
namespace {

template <class Real>
Number<Real> parse(const std::string& text) {
  const std::string padded = text + "\n" + std::string(kNumberPadding, '7');
  auto number = parse_real<Real>(padded.data());
  if (number.end != padded.data() + text.size()) number.fault = NumberFault::malformed;
  return number;
}

template <class Real>
Real reference(const std::string& text) {
  if constexpr (std::is_same_v<Real, float>)
    return std::strtof(text.c_str(), nullptr);
  else
    return std::strtod(text.c_str(), nullptr);
}

// The C library rounds correctly, so the bits must be the same; what overflows there is too large here.
template <class Real>
void expect_exact(const std::string& text) {
  const Real expected = reference<Real>(text);
  const auto number = parse<Real>(text);
  if (std::isinf(expected)) {
    EXPECT_EQ(number.fault, NumberFault::too_large) << text;
    EXPECT_EQ(number.value, std::copysign(std::numeric_limits<Real>::max(), expected)) << text;
    return;
  }
  EXPECT_EQ(number.fault, NumberFault::none) << text;
  EXPECT_EQ(number.value, expected) << text;
  EXPECT_EQ(std::signbit(number.value), std::signbit(expected)) << text;
}

void expect_exact_in_both(const std::string& text) {
  expect_exact<float>(text);
  expect_exact<double>(text);
}

TEST(Number, Forms) {
  for (const char* text :
       {"0", "-0", "+1", "1.", ".5", "-.5", "1e3", "1E+3", "1e-3", "0.1", "00012.500", "123456789012",
        "0.3333333333333333", "9007199254740993", "1e22", "1e23", "1e0000000001", "0e999999999999"})
    expect_exact_in_both(text);
}

TEST(Number, EdgesOfTheTypes) {
  for (const char* text : {"3.4028234663852886e38",
                           "3.4028235677973362e38",
                           "3.4028235677973366e38",
                           "3.4028235677973367e38",
                           "-3.5e38",
                           "1e39",
                           "1.17549435e-38",
                           "1.1754942e-38",
                           "1.4e-45",
                           "7e-46",
                           "7.1e-46",
                           "1e-50",
                           "-1e-400",
                           "1e-99999",
                           "1e400",
                           "1e99999",
                           "1.7976931348623157e308",
                           "1.7976931348623159e308",
                           "2.2250738585072011e-308",
                           "4.9e-324",
                           "2e-324",
                           "1e-999999999999",
                           "1e99999999999999999999999"})
    expect_exact_in_both(text);
}

// Halfway between two floats, and a hair beside: rounding to double first would lose the hair.
TEST(Number, DoubleRounding) {
  for (const char* text :
       {"16777217", "16777219", "1.00000005960464477539062500", "1.00000005960464477539062501",
        "1.00000005960464477539062499", "1.00000005960464478", "1.00000017881393432617187500", "8388608.5",
        "8388609.5", "0.50000002980232238769531250000000001", "7.038531e-26"})
    expect_exact_in_both(text);
  Random random(5);
  for (int i = 0; i < 100'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.below(0x7f000000));
    const double low = std::bit_cast<float>(bits), high = std::bit_cast<float>(bits + 1);
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", 15 + static_cast<int>(random.below(6)), (low + high) / 2);
    expect_exact<float>(text);
  }
}

TEST(Number, ManyDigits) {
  expect_exact_in_both("0." + std::string(400, '0') + "1e401");
  expect_exact_in_both("1" + std::string(400, '0') + "e-400");
  expect_exact_in_both("1" + std::string(400, '0') + "e-800");
  expect_exact_in_both(std::string(30, '9'));
  expect_exact_in_both("3." + std::string(100, '1'));
  expect_exact_in_both("18446744073709551616");
  expect_exact_in_both("18446744073709551615");
  expect_exact_in_both("9999999999999999999");
}

TEST(Number, RandomDoublesAndTheirRounding) {
  Random random(6);
  for (int i = 0; i < 100'000; ++i) {
    const double value = std::bit_cast<double>(random.bits());
    if (!std::isfinite(value)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", 1 + static_cast<int>(random.below(20)), value);
    expect_exact_in_both(text);
  }
}

TEST(Number, RandomDecimals) {
  Random random(7);
  for (int i = 0; i < 200'000; ++i) {
    std::string text = random.chance(0.3) ? "-" : "";
    const auto digits = 1 + random.below(22), point = random.below(digits + 1);
    for (std::uint64_t d = 0; d < digits; ++d) {
      if (d == point) text += '.';
      text += static_cast<char>('0' + random.below(10));
    }
    if (random.chance(0.5)) text += fmt::format("e{}", static_cast<int>(random.below(100)) - 50);
    expect_exact_in_both(text);
  }
}

RC_GTEST_PROP(Number, ShortestTextReadsBackTheSame, (std::uint32_t bits)) {
  const float value = std::bit_cast<float>(bits);
  RC_PRE(std::isfinite(value));
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  const auto number = parse<float>(std::string(text, end));
  RC_ASSERT(number.fault == NumberFault::none);
  RC_ASSERT(std::bit_cast<std::uint32_t>(number.value) == bits);
}

TEST(Number, Words) {
  for (const char* text : {"nan", "NaN", "-nan", "+NAN"})
    EXPECT_EQ(parse<float>(text).fault, NumberFault::nan) << text;
  for (const char* text : {"inf", "-Inf", "+infinity", "INFINITY"})
    EXPECT_EQ(parse<float>(text).fault, NumberFault::infinite) << text;
  for (const char* text :
       {"", "-", "+", ".", "-.", "e5", "1e", "1e+", ".e1", "abc", "--1", "+-1", "0x", "1e5e5"})
    EXPECT_EQ(parse<float>(text).fault, NumberFault::malformed) << text;
}

TEST(Number, StopsAtTheFirstForeignByte) {
  for (const char* text : {"12,5", "12 5", "12\t5", "12:5", "12/5", "12\x80", "12\xba", "12\xff"}) {
    const std::string padded = std::string(text) + "\n" + std::string(kNumberPadding, ' ');
    const auto number = parse_real<float>(padded.data());
    EXPECT_EQ(number.value, 12) << text;
    EXPECT_EQ(number.end, padded.data() + 2) << text;
  }
}

// Every byte at every place of a word of eight, against the definition.
TEST(TakeDigits, FindsTheEnd) {
  for (std::size_t place = 0; place < 20; ++place)
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = "12345678901234567890";
      text[place] = static_cast<char>(byte);
      text += '\n' + std::string(kNumberPadding, '1');
      std::size_t expected_end = 0;
      std::uint64_t expected = 0;
      while (text[expected_end] >= '0' && text[expected_end] <= '9')
        expected = expected * 10 + static_cast<std::uint64_t>(text[expected_end++] - '0');
      std::uint64_t value = 0;
      EXPECT_EQ(take_digits(text.data(), value), text.data() + expected_end);
      EXPECT_EQ(value, expected);
    }
}

TEST(ParseField, AllowsBlanksAround) {
  EXPECT_EQ(parse_field("  2.5\t").value, 2.5);
  EXPECT_EQ(parse_field("2.5x").fault, NumberFault::malformed);
  EXPECT_EQ(parse_field("").fault, NumberFault::malformed);
  EXPECT_EQ(parse_field("  ").fault, NumberFault::malformed);
  EXPECT_EQ(parse_field("nan").fault, NumberFault::nan);
}

}  // namespace
}  // namespace tulle
