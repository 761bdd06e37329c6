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

// What a tile of sums is made of: a whole register of AVX2, for which kernels are compiled on x86-64 besides
// the base line (base/multiarch.hpp), and of NEON.
#ifdef __x86_64__
using TileLane = WideLane;
using TileLaneInMemory = WideLaneInMemory;
#else
using TileLane = Lane;
using TileLaneInMemory = LaneInMemory;
#endif

inline constexpr int kTileLane = sizeof(TileLane) / sizeof(double);

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

inline const TileLaneInMemory* tile_lanes(const double* doubles) {
  return reinterpret_cast<const TileLaneInMemory*>(doubles);
}
inline TileLaneInMemory* tile_lanes(double* doubles) {
  return reinterpret_cast<TileLaneInMemory*>(doubles);
}

}  // namespace tulle
