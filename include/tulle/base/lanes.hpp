// Short vectors that live in one register: 128 bits, which every x86-64 and ARM64 machine has.
#pragma once

namespace tulle {

using Lane = double __attribute__((vector_size(16)));
// The same in memory, where it need not be aligned and aliases plain doubles.
using LaneInMemory = double __attribute__((vector_size(16), aligned(8), may_alias));

inline constexpr int kLane = 2;  // doubles in a Lane

using FloatLane = float __attribute__((vector_size(16)));
using FloatLaneInMemory = float __attribute__((vector_size(16), aligned(4), may_alias));

inline constexpr int kFloatLane = 4;

// As doubles, in two registers.
using WideLane = double __attribute__((vector_size(32)));
using WideLaneInMemory = double __attribute__((vector_size(32), aligned(8), may_alias));

inline __attribute__((always_inline)) WideLane widened(FloatLane floats) {
  return __builtin_convertvector(floats, WideLane);
}
inline float sum_of(FloatLane floats) {
  return (floats[0] + floats[1]) + (floats[2] + floats[3]);
}

inline const LaneInMemory* lanes(const double* doubles) {
  return reinterpret_cast<const LaneInMemory*>(doubles);
}
inline LaneInMemory* lanes(double* doubles) {
  return reinterpret_cast<LaneInMemory*>(doubles);
}

}  // namespace tulle
