// A tensor that stores every cell, in C order. Values are doubles: BLAS sums in the type of its operands, and
// sums over millions of cells need float64.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

class DenseTensor {
 public:
  explicit DenseTensor(Shape shape);  // zeros
  DenseTensor(Shape shape, std::vector<double> values);

  const Shape& shape() const { return shape_; }
  int order() const { return shape_.order(); }
  std::size_t size() const { return values_.size(); }

  std::span<const double> values() const { return values_; }
  std::span<double> values() { return values_; }
  double operator[](std::span<const Index> cell) const { return values_[shape_.offset(cell)]; }
  double& operator[](std::span<const Index> cell) { return values_[shape_.offset(cell)]; }

  bool operator==(const DenseTensor& other) const = default;

 private:
  Shape shape_;
  std::vector<double> values_;
};

}  // namespace tulle

#pragma GCC visibility pop
