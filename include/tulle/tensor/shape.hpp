// The sizes of a tensor's modes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace tulle {

using Index = std::uint32_t;  // position in a mode, 0-based

inline constexpr int kMinOrder = 2;
inline constexpr int kMaxOrder = 8;
inline constexpr std::uint64_t kMaxDimension = 0xffff'ffff;

// 2 to 8 modes, each of 1 to 2^32-1 positions. Cells are numbered in C order: the last mode runs fastest, as
// in NumPy.
class Shape {
 public:
  explicit Shape(std::span<const std::uint64_t> dimensions);
  Shape(std::initializer_list<std::uint64_t> dimensions);
  static Shape parse(std::string_view text);  // "20x30x4"

  int order() const { return order_; }
  Index operator[](int mode) const { return dimensions_[mode]; }
  std::span<const Index> dimensions() const { return {dimensions_.data(), static_cast<std::size_t>(order_)}; }

  std::size_t cells() const;           // product of the sizes; an Error when it does not fit
  std::size_t stride(int mode) const;  // distance in C order between neighbours along a mode
  std::size_t offset(std::span<const Index> cell) const;
  bool contains(std::span<const Index> cell) const;

  Shape with(int mode, std::uint64_t dimension) const;  // the same shape with one size changed
  std::string text() const;                             // "20x30x4"

  bool operator==(const Shape& other) const = default;

 private:
  int order_;
  std::array<Index, kMaxOrder> dimensions_{};
};

}  // namespace tulle

#pragma GCC visibility pop
