// Maps 64 bytes of text to bits, which are set for bytes other than digits and minus; the first byte is the
// lowest bit. Compilers do not turn a comparison of bytes into a word of bits efficiently, so there is code
// for each processor.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tulle {

inline constexpr std::size_t kMapBytes = 64;

#if defined(__ARM_NEON)

inline std::uint64_t map_others(const char* text) {
  // Every byte keeps a bit of its own, and three rounds of pairwise additions gather them.
  const uint8x16_t own_bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040'2010'0804'0201));
  const auto others = [&](std::size_t at) {
    const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const std::uint8_t*>(text) + at);
    const uint8x16_t no_digit = vcgtq_u8(vsubq_u8(bytes, vdupq_n_u8('0')), vdupq_n_u8(9));
    return vandq_u8(vbicq_u8(no_digit, vceqq_u8(bytes, vdupq_n_u8('-'))), own_bit);
  };
  const uint8x16_t pairs = vpaddq_u8(vpaddq_u8(others(0), others(16)), vpaddq_u8(others(32), others(48)));
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)), 0);
}

#elif defined(__SSE2__)

inline std::uint64_t map_others(const char* text) {
  std::uint64_t map = 0;
  for (std::size_t at = 0; at < kMapBytes; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + at));
    // SSE2 compares signed bytes: '0' is mapped to the smallest one, so that digits are the ten smallest.
    const __m128i moved = _mm_sub_epi8(bytes, _mm_set1_epi8(static_cast<char>('0' + 128)));
    const __m128i no_digit = _mm_cmpgt_epi8(moved, _mm_set1_epi8(-128 + 9));
    const __m128i others = _mm_andnot_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('-')), no_digit);
    map |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(others))} << at;
  }
  return map;
}

#else

inline std::uint64_t map_others(const char* text) {
  std::uint64_t map = 0;
  for (std::size_t at = 0; at < kMapBytes; ++at)
    map |= std::uint64_t{static_cast<std::uint8_t>(text[at] - '0') > 9 && text[at] != '-'} << at;
  return map;
}

#endif

}  // namespace tulle
