// The gradient of one cell of a CP or Tucker model with respect to the numbers that it touches.
#pragma once

#include <tulle/tensor/model_layout.hpp>

#include <array>
#include <span>
#include <vector>

namespace tulle {

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
