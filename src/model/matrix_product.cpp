#include "matrix_product.hpp"

#include <tulle/tensor/kernels/narrow_product.hpp>
#include <tulle/tensor/panel.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::size_t kLeastProducts = 1 << 12;

Axes joined(const Axes& first, const Axes& second) {
  Axes all = first;
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

bool is_one_of(const Axes& axes, const Axes& first, const Axes& second) {
  return axes == joined(first, second) || axes == joined(second, first);
}

Axes held_by(const Axes& axes, const Axes& other, bool wanted) {
  Axes found;
  for (int axis : axes)
    if (holds(other, axis) == wanted) found.push_back(axis);
  return found;
}

// The right operand as terms x columns, padded for the kernel.
Panel padded(const double* values, std::size_t terms, std::size_t columns, bool by_terms) {
  using Columns = Eigen::Map<const Matrix>;
  const auto rows = static_cast<Eigen::Index>(terms), width = static_cast<Eigen::Index>(columns);
  return by_terms ? Panel(Columns(values, rows, width))
                  : Panel(Matrix(Columns(values, width, rows).transpose()));
}

}  // namespace

std::optional<MatrixProduct> MatrixProduct::find(std::span<const Index> sizes, const Axes& result,
                                                 const Axes& left, const Axes& right) {
  const Operands axes{held_by(left, result, true), held_by(left, result, false),
                      held_by(right, result, true)};
  const bool is_product = !axes.rows.empty() && !axes.terms.empty() && !axes.columns.empty() &&
                          is_one_of(result, axes.rows, axes.columns) &&
                          is_one_of(left, axes.rows, axes.terms) &&
                          is_one_of(right, axes.terms, axes.columns);
  if (!is_product || cells_of(sizes, joined(result, axes.terms)) < kLeastProducts) return std::nullopt;
  if (result == joined(axes.rows, axes.columns)) return MatrixProduct(sizes, axes, left, right);
  MatrixProduct swapped(sizes, {axes.columns, axes.terms, axes.rows}, right, left);
  swapped.is_swapped_ = true;
  return swapped;
}

MatrixProduct::MatrixProduct(std::span<const Index> sizes, const Operands& axes, const Axes& left,
                             const Axes& right)
    : rows_(cells_of(sizes, axes.rows)),
      terms_(cells_of(sizes, axes.terms)),
      columns_(cells_of(sizes, axes.columns)),
      left_by_rows_(left == joined(axes.rows, axes.terms)),
      right_by_terms_(right == joined(axes.terms, axes.columns)) {}

void MatrixProduct::run(double* result, const double* left, const double* right) const {
  if (is_swapped_) std::swap(left, right);
  const Panel narrow = padded(right, terms_, columns_, right_by_terms_);
  Panel sums(rows_, static_cast<int>(columns_));
  const auto stride = static_cast<std::size_t>(sums.stride());
  const auto rows = static_cast<Eigen::Index>(left_by_rows_ ? rows_ : terms_),
             columns = static_cast<Eigen::Index>(left_by_rows_ ? terms_ : rows_);
  const StridedRows large(left, rows, columns, Eigen::OuterStride<>(columns));
  if (left_by_rows_)
    add_narrow_product(large, narrow.data(), columns_, stride, sums.data());
  else
    add_narrow_transposed_product(large, narrow.data(), columns_, stride, sums.data());
  for (std::size_t row = 0; row < rows_; ++row) std::copy_n(sums.row(row), columns_, result + row * columns_);
}

}  // namespace tulle
