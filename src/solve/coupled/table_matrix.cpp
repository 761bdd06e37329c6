#include "table_matrix.hpp"

#include <tulle/tensor/kernels/cell_sums.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>

#include <algorithm>

namespace tulle {

TableMatrix::TableMatrix(const Coupled& model, const Product& product, const SparseTensor& entries,
                         Layout layout)
    : layout_(std::move(layout)) {
  std::vector<Index> row(entries.size()), column(entries.size());
  for (std::size_t level = 0; level < layout_.levels.size(); ++level) {
    const bool of_row = level < layout_.rows;
    const auto mode = std::ranges::find(product.axes, layout_.levels[level]) - product.axes.begin();
    const std::span<const Index> positions = entries.column(static_cast<int>(mode));
    const Index size = model.axes[layout_.levels[level]].size;
    (of_row ? rows_ : columns_) *= size;
    std::vector<Index>& place = of_row ? row : column;
    for (std::size_t entry = 0; entry < place.size(); ++entry)
      place[entry] = place[entry] * size + positions[entry];
  }
  const std::span<const float> values = entries.values();
  if (layout_.is_dense) {
    cells_ = Matrix::Zero(rows_, columns_);
    for (std::size_t entry = 0; entry < values.size(); ++entry)
      cells_(row[entry], column[entry]) += values[entry];
    return;
  }
  const Shape shape{static_cast<Index>(rows_), static_cast<Index>(columns_)};
  const SparseTensor matrix(Cells(shape, {std::move(row), std::move(column)}), {values.begin(), values.end()},
                            Unlisted::zero);
  entries_ = sort_by_mode(matrix, 0, Levels::large_first);
}

const Matrix& TableMatrix::times(const Matrix& others) {
  if (others_.rows() == others.rows() && others_.cols() == others.cols() && others_ == others)
    return product_;
  others_ = others;
  multiply();
  return product_;
}

void TableMatrix::multiply() {
  if (layout_.is_dense) {
    product_ = Matrix::Zero(rows_, others_.cols());
    add_linear_cell_sums({cells_.data(), cells_.rows(), cells_.cols()},
                         {others_.data(), others_.rows(), others_.cols()}, 1, product_.data());
    return;
  }
  // The first panel stands for the rows, and is not read.
  const Panel factors[] = {Panel(static_cast<std::size_t>(rows_), static_cast<int>(others_.cols())),
                           Panel(others_)};
  mttkrp(entries_, factors, product_);
}

}  // namespace tulle
