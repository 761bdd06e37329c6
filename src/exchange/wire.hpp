// Messages as bytes: whole numbers, lowest byte first, one after the other.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/exchange/bytes.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace tulle {

class WireWriter {
 public:
  template <class T>
  WireWriter& number(T value) {
    static_assert(std::is_unsigned_v<T>);
    for (std::size_t i = 0; i < sizeof value; ++i)
      bytes_.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
    return *this;
  }
  WireWriter& bytes(std::span<const std::uint8_t> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
    return *this;
  }
  WireWriter& words(std::span<const std::uint64_t> values) {
    static_assert(std::endian::native == std::endian::little);
    if (values.empty()) return *this;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + values.size_bytes());
    std::memcpy(bytes_.data() + before, values.data(), values.size_bytes());
    return *this;
  }

  const Bytes& written() const { return bytes_; }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

// Throws an Error if a message is shorter than what is read from it.
class WireReader {
 public:
  explicit WireReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    const std::span<const std::uint8_t> part = bytes(sizeof(T));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::uint64_t{part[i]} << (8 * i);
    return static_cast<T>(value);
  }
  std::span<const std::uint8_t> bytes(std::size_t count) {
    if (rest_.size() < count) fail("a message between sites is cut off; the sum is refused");
    const auto part = rest_.first(count);
    rest_ = rest_.subspan(count);
    return part;
  }
  template <class Array>
  Array array() {
    Array result;
    std::memcpy(result.data(), bytes(result.size()).data(), result.size());
    return result;
  }
  std::span<const std::uint8_t> rest() const { return rest_; }
  void expect_end() const {
    if (!rest_.empty()) fail("a message between sites is longer than it may be; the sum is refused");
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace tulle
