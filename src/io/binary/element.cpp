#include "binary/element.hpp"

#include <bit>
#include <cstring>

namespace tulle {
namespace {

constexpr std::size_t kBlock = 32768;  // stays in the L2 cache between reading and converting

template <std::size_t Size>
using Bits =
    std::conditional_t<Size == 1, std::uint8_t,
                       std::conditional_t<Size == 2, std::uint16_t,
                                          std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

template <class Word>
Word swap_bytes(Word word) {
  if constexpr (sizeof(Word) == 2) return __builtin_bswap16(word);
  if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
  if constexpr (sizeof(Word) == 8) return __builtin_bswap64(word);
  return word;
}

template <class Number, bool Swapped>
void decode_numbers(const char* bytes, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Bits<sizeof(Number)> word;
    std::memcpy(&word, bytes + i * sizeof(Number), sizeof(Number));
    if constexpr (Swapped) word = swap_bytes(word);
    values[i] = static_cast<double>(std::bit_cast<Number>(word));
  }
}

template <class Number>
void decode_numbers(bool swapped, const char* bytes, std::span<double> values) {
  swapped ? decode_numbers<Number, true>(bytes, values) : decode_numbers<Number, false>(bytes, values);
}

// IEEE 754 binary16: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits.
double half_to_double(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1f;
  const int fraction = half & 0x3ff;
  double magnitude;
  if (exponent == 0x1f)
    magnitude =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(0x400 + fraction, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

void decode_halves(bool swapped, const char* bytes, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t half;
    std::memcpy(&half, bytes + 2 * i, 2);
    values[i] = half_to_double(swapped ? swap_bytes(half) : half);
  }
}

void decode_booleans(const char* bytes, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = bytes[i] == 0 ? 0 : 1;
}

}  // namespace

std::size_t bytes_of(Element element) {
  switch (element) {
    case Element::boolean:
    case Element::u1:
    case Element::i1:
      return 1;
    case Element::u2:
    case Element::i2:
    case Element::f2:
      return 2;
    case Element::u4:
    case Element::i4:
    case Element::f4:
      return 4;
    case Element::u8:
    case Element::i8:
    case Element::f8:
      break;
  }
  return 8;
}

void decode(ElementType type, std::span<const char> bytes, std::span<double> values) {
  switch (type.element) {
    case Element::boolean:
      return decode_booleans(bytes.data(), values);
    case Element::u1:
      return decode_numbers<std::uint8_t>(false, bytes.data(), values);
    case Element::u2:
      return decode_numbers<std::uint16_t>(type.swapped, bytes.data(), values);
    case Element::u4:
      return decode_numbers<std::uint32_t>(type.swapped, bytes.data(), values);
    case Element::u8:
      return decode_numbers<std::uint64_t>(type.swapped, bytes.data(), values);
    case Element::i1:
      return decode_numbers<std::int8_t>(false, bytes.data(), values);
    case Element::i2:
      return decode_numbers<std::int16_t>(type.swapped, bytes.data(), values);
    case Element::i4:
      return decode_numbers<std::int32_t>(type.swapped, bytes.data(), values);
    case Element::i8:
      return decode_numbers<std::int64_t>(type.swapped, bytes.data(), values);
    case Element::f2:
      return decode_halves(type.swapped, bytes.data(), values);
    case Element::f4:
      return decode_numbers<float>(type.swapped, bytes.data(), values);
    case Element::f8:
      return decode_numbers<double>(type.swapped, bytes.data(), values);
  }
}

std::uint64_t read_elements(ByteStream& stream, ElementType type, std::uint64_t count,
                            const TakeNumbers& take) {
  const std::size_t size = bytes_of(type.element);
  std::vector<double> values(std::min<std::uint64_t>(kBlock, count));
  std::vector<char> bytes(values.size() * size);
  for (std::uint64_t done = 0; done < count;) {
    const std::size_t next = std::min<std::uint64_t>(values.size(), count - done);
    const std::size_t got = stream.read({bytes.data(), next * size});
    const std::size_t whole = got / size;
    decode(type, {bytes.data(), whole * size}, {values.data(), whole});
    take({values.data(), whole});
    if (whole < next) return done * size + got;
    done += whole;
  }
  return count * size;
}

}  // namespace tulle
