// Short vectors that live in one or two registers of 128 bits, which every x86-64 and ARM64 machine has.
#pragma once

#ifdef __aarch64__
#include <arm_neon.h>
#endif

namespace tulle {

using Lane = double __attribute__((vector_size(16)));
// A Lane in memory, where it need not be aligned and aliases plain doubles. Clang honours the alignment of a
// typedef, but not that of a `using`.
typedef double LaneInMemory __attribute__((vector_size(16), aligned(8), may_alias));

inline constexpr int kLane = 2;  // doubles in a Lane

using FloatLane = float __attribute__((vector_size(16)));
typedef float FloatLaneInMemory __attribute__((vector_size(16), aligned(4), may_alias));

inline constexpr int kFloatLane = 4;

// A FloatLane converted to doubles: in two registers, or in one of AVX2.
using WideLane = double __attribute__((vector_size(32)));
typedef double WideLaneInMemory __attribute__((vector_size(32), aligned(8), may_alias));

// The unit of a tile of sums: a whole register of AVX2, for which kernels on x86-64 are compiled besides the
// baseline (base/multiarch.hpp), or of NEON.
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

// Two values, as doubles.
inline __attribute__((always_inline)) Lane lane_at(const double* numbers) {
  return *lanes(numbers);
}
inline __attribute__((always_inline)) Lane lane_at(const float* numbers) {
#ifdef __aarch64__
  return vcvt_f64_f32(vld1_f32(numbers));  // GCC 12 converts the two values of a vector one by one
#else
  return Lane{numbers[0], numbers[1]};
#endif
}

// `Count` multipliers, each of which multiplies whole lanes. ARM64 can multiply by one element of a register,
// where broadcasting the element first would take as long as a multiplication.
template <int Count, class Number = double>
class Multipliers {
 public:
  inline __attribute__((always_inline)) void load(const Number* numbers) {
#pragma GCC unroll 4
    for (int i = 0; i < Count / kLane; ++i) held_[i] = lane_at(numbers + i * kLane);
    if constexpr (Count % kLane != 0) held_[Count / kLane][0] = numbers[Count - 1];
  }
  inline __attribute__((always_inline)) double operator[](int i) const {
    return held_[i / kLane][i % kLane];
  }

 private:
  Lane held_[(Count + 1) / kLane];
};

#ifdef __x86_64__
// x86-64 has no such product, but broadcasts a double from memory at no extra cost.
template <int Count>
class Multipliers<Count, double> {
 public:
  inline __attribute__((always_inline)) void load(const double* numbers) { numbers_ = numbers; }
  inline __attribute__((always_inline)) double operator[](int i) const { return numbers_[i]; }

 private:
  const double* numbers_;
};
#endif

}  // namespace tulle
