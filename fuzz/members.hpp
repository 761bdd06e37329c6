// Input for readers of archives. Input that begins with "PK" is an archive. All other is a list of members (a
// number for the name, two bytes for the length, the bytes) that becomes a sound archive, so that fuzzing
// reaches what is inside.
#pragma once

#include "../tests/io/binary/zip.hpp"

#include <array>
#include <string>
#include <string_view>

inline std::string archive_of(std::string_view input) {
  static constexpr std::array<std::string_view, 27> names = {
      "tulle.json",      "indices.npy",  "values.npy",
      "shape.npy",       "format.npy",   "data.npy",
      "row.npy",         "col.npy",      "indptr.npy",
      "tensor.npy",      "weights.npy",  "factor1.npy",
      "factor2.npy",     "factor3.npy",  "core.npy",
      "u.npy",           "s.npy",        "v.npy",
      "bias1.npy",       "bias2.npy",    "bias3.npy",
      "bias_global.npy", "x.npy",        "y.npy",
      "weights1.npy",    "weights2.npy", "sample1_weights1.npy"};
  if (input.starts_with("PK")) return std::string(input);
  std::vector<std::pair<std::string, std::string>> members;
  while (input.size() > 3) {
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(input[i]));
    };
    const std::string name(names[byte(0) % names.size()]);
    const std::size_t length = byte(1) | byte(2) << 8;
    members.emplace_back(name, input.substr(3, length));
    input.remove_prefix(std::min(input.size(), 3 + length));
  }
  return tulle::test::zip(members);
}
