// Hashes that decide whether a unit is held out, independently of the other units.
#pragma once

#include <cstdint>

namespace tulle {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the result depends on every bit of
// x.
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Uniform on [0, 1).
inline double place_of(std::uint64_t hash) {
  return static_cast<double>(hash >> 11) * 0x1p-53;
}

}  // namespace tulle
