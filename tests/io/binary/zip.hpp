// Zip archives made byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tulle::test {

// The bytes of numbers, in this machine's order or the other one.
template <class T>
std::string bytes_of(const std::vector<T>& values, bool swapped = false) {
  std::string result;
  for (T value : values) {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    result += swapped ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
  }
  return result;
}

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t rest = ~0u;
  for (char byte : bytes) {
    rest ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest;
}

// An archive of stored members. `claimed` is added to the size that the archive states for each.
inline std::string zip(const std::vector<std::pair<std::string, std::string>>& members,
                       std::uint32_t claimed = 0) {
  const auto u2 = [](std::size_t v) { return bytes_of<std::uint16_t>({static_cast<std::uint16_t>(v)}); };
  const auto u4 = [](std::size_t v) { return bytes_of<std::uint32_t>({static_cast<std::uint32_t>(v)}); };
  std::string file;
  std::string directory;
  for (const auto& [name, bytes] : members) {
    const std::string head = u2(20) + u2(0) + u2(0) + u2(0) + u2(33) + u4(crc32(bytes)) + u4(bytes.size()) +
                             u4(bytes.size() + claimed) + u2(name.size()) + u2(0);
    directory += "PK\1\2" + u2(20) + head + u2(0) + u2(0) + u2(0) + u4(0) + u4(file.size()) + name;
    file += "PK\3\4" + head + name + bytes;
  }
  return file + directory + "PK\5\6" + u4(0) + u2(members.size()) + u2(members.size()) +
         u4(directory.size()) + u4(file.size()) + u2(0);
}

}  // namespace tulle::test
