// The numbers of a CP or Tucker model in one row, and the gradient of one cell with respect to them: what
// methods work with that treat a model as a point to move.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/tensor/shape.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace tulle {

// Where each number is: the factors, mode by mode and row by row, then the core (Tucker alone).
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

  // The model level + scale * (what the numbers say).
  Model model(std::span<const double> numbers, double level, double scale) const;

 private:
  ModelLayout(const Shape& shape, std::vector<std::size_t> columns, bool has_core);

  Shape shape_;
  std::vector<std::size_t> columns_;
  bool has_core_;
  std::array<std::size_t, kMaxOrder + 1> starts_{};
  std::size_t size_;
};

// What a cell predicts, and the derivatives of that with respect to the row of every mode and to the core.
class CellGradient {
 public:
  explicit CellGradient(const ModelLayout& layout);

  using Rows = std::array<const double*, kMaxOrder>;

  // Computes everything for the cell with these rows; returns the prediction.
  double at(const Rows& rows, const double* core);
  // The same for a cell of a model.
  double at(const double* numbers, std::span<const Index> cell);

  std::span<const double> row(int mode) const { return rows_[mode]; }
  std::span<const double> core() const;  // Tucker alone
  double squared_length(int mode) const;
  double squared_core_length() const;  // 0 for CP
  double squared_length() const;       // of all of it

 private:
  double cp(const Rows& rows);
  double tucker(const Rows& rows, const double* core);

  const ModelLayout* layout_;
  std::vector<std::vector<double>> rows_;
  std::vector<std::vector<double>> before_;  // [m]: the core times the rows of the modes before m
  std::vector<std::vector<double>> after_;   // [m]: the Kronecker product of the rows of mode m and all later
};

}  // namespace tulle
