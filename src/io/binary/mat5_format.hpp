// The numbers of types and classes in MATLAB files of version 5.
#pragma once

#include <cstdint>

namespace tulle {

// The type of the data in an element.
enum MatType : std::uint32_t {
  kInt8 = 1,
  kUint8 = 2,
  kInt16 = 3,
  kUint16 = 4,
  kInt32 = 5,
  kUint32 = 6,
  kSingle = 7,
  kDouble = 9,
  kInt64 = 12,
  kUint64 = 13,
  kMatrix = 14,
  kCompressed = 15
};

// The class of an array; doubles to 64-bit integers are the numeric classes.
enum MatClass : std::uint32_t {
  kCell = 1,
  kStruct = 2,
  kChar = 4,
  kSparse = 5,
  kDoubles = 6,
  kUint64s = 15,
  kOpaque = 17
};

inline constexpr std::uint32_t kComplexFlag = 0x800;

}  // namespace tulle
