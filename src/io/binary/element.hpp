// The number types of binary files, and their conversion to float64.
#pragma once

#include "binary/byte_stream.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace tulle {

enum class Element : std::uint8_t { boolean, u1, u2, u4, u8, i1, i2, i4, i8, f2, f4, f8 };

struct ElementType {
  Element element = Element::f8;
  bool swapped = false;  // the byte order is not this machine's

  bool operator==(const ElementType& other) const = default;
};

std::size_t bytes_of(Element element);

// Decodes values.size() elements; `bytes` holds exactly these.
void decode(ElementType type, std::span<const char> bytes, std::span<double> values);

using TakeNumbers = std::function<void(std::span<const double>)>;

// Passes up to `count` elements on in blocks, and returns how many bytes the stream had for them: fewer than
// needed if it ended too early.
std::uint64_t read_elements(ByteStream& stream, ElementType type, std::uint64_t count,
                            const TakeNumbers& take);

}  // namespace tulle
