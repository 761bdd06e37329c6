// Bytes by their hexadecimal text, as test vectors give them.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

inline std::vector<std::uint8_t> from_hex(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
  return bytes;
}

inline std::array<std::uint8_t, 32> key_from_hex(std::string_view text) {
  const std::vector<std::uint8_t> bytes = from_hex(text);
  std::array<std::uint8_t, 32> key;
  if (bytes.size() != key.size()) throw std::invalid_argument("a key has 32 bytes");
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

}  // namespace tulle
