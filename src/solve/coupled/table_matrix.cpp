#include "table_matrix.hpp"

#include <tulle/tensor/kernels/cell_sums.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>

#include <algorithm>

namespace tulle {

TableMatrix::TableMatrix(const Coupled& model, const Product& product, const SparseTensor& entries,
                         Layout layout)
    : layout_(std::move(layout)) {
  std::vector<std::span<const Index>> positions;
  for (std::size_t level = 0; level < layout_.levels.size(); ++level) {
    (level < layout_.rows ? rows_ : columns_) *= model.axes[layout_.levels[level]].size;
    const auto mode = std::ranges::find(product.axes, layout_.levels[level]) - product.axes.begin();
    positions.push_back(entries.column(static_cast<int>(mode)));
  }
  if (layout_.is_dense) cells_ = Matrix::Zero(rows_, columns_);
  SparseTensor matrix(Shape{static_cast<Index>(rows_), static_cast<Index>(columns_)}, Unlisted::zero);
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    std::array<Index, 2> place{};
    for (std::size_t level = 0; level < layout_.levels.size(); ++level) {
      Index& part = place[level < layout_.rows ? 0 : 1];
      part = part * model.axes[layout_.levels[level]].size + positions[level][entry];
    }
    if (layout_.is_dense)
      cells_(place[0], place[1]) += entries.values()[entry];
    else
      matrix.append(place, entries.values()[entry]);
  }
  if (!layout_.is_dense) entries_ = sort_by_mode(matrix, 0, Levels::large_first);
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
