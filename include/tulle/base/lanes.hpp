// A short vector of doubles that lives in one register: 128 bits, which every x86-64 and ARM64 machine has.
#pragma once

namespace tulle {

using Lane = double __attribute__((vector_size(16)));
// The same in memory, where it need not be aligned and aliases plain doubles.
using LaneInMemory = double __attribute__((vector_size(16), aligned(8), may_alias));

inline constexpr int kLane = 2;  // doubles in a Lane

inline const LaneInMemory* lanes(const double* doubles) {
  return reinterpret_cast<const LaneInMemory*>(doubles);
}
inline LaneInMemory* lanes(double* doubles) {
  return reinterpret_cast<LaneInMemory*>(doubles);
}

}  // namespace tulle
