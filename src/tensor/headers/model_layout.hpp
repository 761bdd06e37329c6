// The parameters of a CP or Tucker model in one array, for methods and kernels that treat a model as a point.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace tulle {

// The place of each parameter: the factors, mode by mode and row by row, then the core (Tucker only).
class ModelLayout {
 public:
  static ModelLayout cp(const Shape& shape, int rank);
  static ModelLayout tucker(const Shape& shape, const std::vector<int>& ranks);  // one per mode

  const Shape& shape() const { return shape_; }
  int order() const { return shape_.order(); }
  bool has_core() const { return has_core_; }
  std::size_t columns(int mode) const { return columns_[mode]; }
  std::size_t start(int mode) const { return starts_[mode]; }
  std::size_t row(int mode, std::size_t position) const { return starts_[mode] + position * columns_[mode]; }
  std::size_t factor_size(int mode) const { return std::size_t{shape_[mode]} * columns_[mode]; }
  std::size_t core_start() const { return starts_[order()]; }
  std::size_t core_size() const { return size_ - core_start(); }  // 0 for CP
  std::size_t size() const { return size_; }

  // The same with another size of one mode.
  ModelLayout with(int mode, std::uint64_t size) const;

 private:
  ModelLayout(const Shape& shape, std::vector<std::size_t> columns, bool has_core);

  Shape shape_;
  std::vector<std::size_t> columns_;
  bool has_core_;
  std::array<std::size_t, kMaxOrder + 1> starts_{};
  std::size_t size_;
};

}  // namespace tulle
