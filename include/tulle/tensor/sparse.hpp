// Tensors that list only some of their cells.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The meaning of a cell that is not listed. It is always stated, never guessed: a rating that nobody gave is
// missing, a flow that nobody sent is zero.
enum class Unlisted { missing, zero };

// A list of cells, one column of positions per mode.
class Cells {
 public:
  explicit Cells(Shape shape);
  Cells(Shape shape, std::vector<std::vector<Index>> columns);  // checks lengths and bounds

  const Shape& shape() const { return shape_; }
  int order() const { return shape_.order(); }
  std::size_t size() const { return columns_.front().size(); }
  std::span<const Index> column(int mode) const { return columns_[mode]; }
  Index operator()(std::size_t entry, int mode) const { return columns_[mode][entry]; }
  std::array<Index, kMaxOrder> cell(std::size_t entry) const;  // only the first order() positions are valid

  void reserve(std::size_t count);
  void append(std::span<const Index> cell);  // an Error if it lies outside the shape

  // The same cells in a shape at least as large in every mode.
  Cells within(const Shape& larger) const;

  bool operator==(const Cells& other) const = default;

 private:
  Shape shape_;
  std::vector<std::vector<Index>> columns_;
};

// Listed cells with their values. Values are float32: the data are measured, and half the bytes give twice
// the speed; sums over them use float64.
class SparseTensor {
 public:
  SparseTensor(Shape shape, Unlisted unlisted);
  SparseTensor(Cells cells, std::vector<float> values, Unlisted unlisted);

  const Shape& shape() const { return cells_.shape(); }
  int order() const { return cells_.order(); }
  std::size_t size() const { return values_.size(); }
  Unlisted unlisted() const { return unlisted_; }

  const Cells& cells() const { return cells_; }
  std::span<const Index> column(int mode) const { return cells_.column(mode); }
  std::span<const float> values() const { return values_; }
  std::span<float> values() { return values_; }

  void reserve(std::size_t count);
  void append(std::span<const Index> cell, float value);

  // The chosen entries, in the given order.
  SparseTensor select(std::span<const std::size_t> entries) const;

  bool operator==(const SparseTensor& other) const = default;

 private:
  Cells cells_;
  std::vector<float> values_;
  Unlisted unlisted_;
};

}  // namespace tulle

#pragma GCC visibility pop
