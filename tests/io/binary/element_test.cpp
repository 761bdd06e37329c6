#include "binary/element.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tulle {
namespace {

double decoded(ElementType type, std::string bytes) {
  double value = 0;
  decode(type, bytes, {&value, 1});
  return value;
}

template <class Number>
std::string bytes_in_memory(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

template <class Number>
void expect_number(Element element, Number number) {
  RC_ASSERT(bytes_of(element) == sizeof number);
  std::string bytes = bytes_in_memory(number);
  RC_ASSERT(decoded({element, false}, bytes) == static_cast<double>(number));
  std::ranges::reverse(bytes);
  RC_ASSERT(decoded({element, true}, bytes) == static_cast<double>(number));
}

RC_GTEST_PROP(Element, IsTheNumberInEitherOrderOfItsBytes,
              (std::uint64_t bits, std::int64_t number, float single, double full)) {
  expect_number(Element::u1, static_cast<std::uint8_t>(bits));
  expect_number(Element::u2, static_cast<std::uint16_t>(bits));
  expect_number(Element::u4, static_cast<std::uint32_t>(bits));
  expect_number(Element::u8, bits);
  expect_number(Element::i1, static_cast<std::int8_t>(number));
  expect_number(Element::i2, static_cast<std::int16_t>(number));
  expect_number(Element::i4, static_cast<std::int32_t>(number));
  expect_number(Element::i8, number);
  expect_number(Element::f4, single);
  expect_number(Element::f8, full);
}

// IEEE 754 binary16: one, the largest, the smallest normal and subnormal numbers, and what is no number.
TEST(Element, HalvesAreThoseOfTheStandard) {
  const auto half = [](std::uint16_t bits) { return decoded({Element::f2, false}, bytes_in_memory(bits)); };
  EXPECT_EQ(half(0x3c00), 1);
  EXPECT_EQ(half(0xc100), -2.5);
  EXPECT_EQ(half(0x7bff), 65504);
  EXPECT_EQ(half(0x0400), std::ldexp(1, -14));
  EXPECT_EQ(half(0x0001), std::ldexp(1, -24));
  EXPECT_TRUE(std::signbit(half(0x8000)));
  EXPECT_EQ(half(0xfc00), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(half(0x7e00)));
  EXPECT_EQ(decoded({Element::f2, true}, std::string("\x3c\x00", 2)), 1);
}

TEST(Element, EveryByteButZeroIsTrue) {
  EXPECT_EQ(decoded({Element::boolean, false}, std::string(1, '\0')), 0);
  EXPECT_EQ(decoded({Element::boolean, false}, "\x80"), 1);
}

class Bytes : public ByteStream {
 public:
  explicit Bytes(std::string bytes) : ByteStream("x"), bytes_(std::move(bytes)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, count, buffer.data());
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// 300000 bytes are more than a block.
TEST(ReadElements, HandsOverAllInOrder) {
  std::string bytes;
  for (int i = 0; i < 75'000; ++i) bytes += bytes_in_memory(i);
  Bytes stream(bytes + "more");
  std::vector<double> values;
  const auto take = [&](std::span<const double> block) {
    values.insert(values.end(), block.begin(), block.end());
  };
  EXPECT_EQ(read_elements(stream, {Element::i4, false}, 75'000, take), 300'000u);
  ASSERT_EQ(values.size(), 75'000u);
  for (int i = 0; i < 75'000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], i);
}

TEST(ReadElements, SaysHowManyBytesThereWereOfAStreamThatEndsTooEarly) {
  Bytes stream(std::string(11, '\1'));
  std::size_t taken = 0;
  const auto count = [&](std::span<const double> block) { taken += block.size(); };
  EXPECT_EQ(read_elements(stream, {Element::u4, false}, 5, count), 11u);
  EXPECT_EQ(taken, 2u);
}

}  // namespace
}  // namespace tulle
