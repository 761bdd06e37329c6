#pragma once

#include <tulle/privacy/noise/random_bits.hpp>

namespace tulle {

// In [0, 1).
inline double uniform(RandomBits& bits) {
  return static_cast<double>(bits.word() >> 11) * 0x1p-53;
}

}  // namespace tulle
