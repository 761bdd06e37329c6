#include "table_matrix.hpp"

#include <tulle/tensor/kernels/cell_sums.hpp>

#include <algorithm>

namespace tulle {

TableMatrix::TableMatrix(const Coupled& model, const Product& product, const SparseTensor& entries,
                         const Axes& levels, std::size_t rows)
    : levels_(levels), rows_(rows) {
  Eigen::Index height = 1, width = 1;
  std::vector<std::span<const Index>> columns;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    (level < rows ? height : width) *= model.axes[levels[level]].size;
    const auto mode = std::ranges::find(product.axes, levels[level]) - product.axes.begin();
    columns.push_back(entries.column(static_cast<int>(mode)));
  }
  cells_ = Matrix::Zero(height, width);
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    std::size_t place = 0;
    for (std::size_t level = 0; level < levels.size(); ++level)
      place = place * model.axes[levels[level]].size + columns[level][entry];
    cells_.data()[place] += entries.values()[entry];
  }
}

const Matrix& TableMatrix::times(const Matrix& others) {
  if (others_.rows() == others.rows() && others_.cols() == others.cols() && others_ == others)
    return product_;
  others_ = others;
  product_ = Matrix::Zero(cells_.rows(), others.cols());
  add_linear_cell_sums({cells_.data(), cells_.rows(), cells_.cols()},
                       {others_.data(), others_.rows(), others_.cols()}, 1, product_.data());
  return product_;
}

}  // namespace tulle
