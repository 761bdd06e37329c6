// Visits the cells of a tensor in the order of a file.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <array>
#include <cstdint>

namespace tulle {

enum class CellOrder { c, fortran };  // the last mode varies fastest, or the first

class Odometer {
 public:
  using Cell = std::array<Index, kMaxOrder>;

  Odometer(const Shape& shape, CellOrder order) : shape_(shape), order_(order) {}

  const Cell& cell() const { return cell_; }

  void next() {
    for (int step = 0; step < shape_.order(); ++step) {
      const int mode = mode_of(step);
      if (++cell_[mode] < shape_[mode]) return;
      cell_[mode] = 0;
    }
  }

  void advance(std::uint64_t count) {
    for (int step = 0; step < shape_.order(); ++step) {
      const int mode = mode_of(step);
      count += cell_[mode];
      cell_[mode] = static_cast<Index>(count % shape_[mode]);
      count /= shape_[mode];
    }
  }

  // The offset in C order of the same cell, but at the beginning of the last mode.
  std::size_t offset_without_last() const {
    std::size_t offset = 0;
    for (int mode = 0; mode < shape_.order() - 1; ++mode) offset = offset * shape_[mode] + cell_[mode];
    return offset * shape_[shape_.order() - 1];
  }

 private:
  int mode_of(int step) const { return order_ == CellOrder::c ? shape_.order() - 1 - step : step; }

  Shape shape_;
  CellOrder order_;
  Cell cell_{};
};

}  // namespace tulle
