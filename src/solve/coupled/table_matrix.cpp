#include "table_matrix.hpp"

#include <tulle/tensor/kernels/cell_sums.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

// Where the entries are along an index, and its size.
struct Level {
  std::span<const Index> positions;
  Index size;
};

// The place of each entry from `first` on among all combinations of the indices, in C order.
void place(std::span<const Level> levels, std::size_t first, std::span<Index> places) {
  std::ranges::fill(places, 0);
  for (const Level& level : levels)
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = places[i] * level.size + level.positions[first + i];
}

// Some entries at a time, so that their places stay in the first cache.
void add_values(std::span<const Level> rows, std::span<const Level> columns, std::span<const float> values,
                Matrix& cells) {
  std::array<Index, 1024> row, column;
  for (std::size_t first = 0; first < values.size(); first += row.size()) {
    const std::size_t count = std::min(row.size(), values.size() - first);
    place(rows, first, std::span(row).first(count));
    place(columns, first, std::span(column).first(count));
    for (std::size_t i = 0; i < count; ++i) cells(row[i], column[i]) += values[first + i];
  }
}

}  // namespace

TableMatrix::TableMatrix(const Coupled& model, const Product& product, const SparseTensor& entries,
                         Layout layout)
    : layout_(std::move(layout)) {
  std::vector<Level> levels;
  for (std::size_t level = 0; level < layout_.levels.size(); ++level) {
    const auto mode = std::ranges::find(product.axes, layout_.levels[level]) - product.axes.begin();
    levels.push_back({entries.column(static_cast<int>(mode)), model.axes[layout_.levels[level]].size});
    (level < layout_.rows ? rows_ : columns_) *= levels.back().size;
  }
  const std::span<const float> values = entries.values();
  const std::span of_rows(levels.data(), layout_.rows), of_columns = std::span(levels).subspan(layout_.rows);
  if (layout_.is_dense) {
    cells_ = Matrix::Zero(rows_, columns_);
    add_values(of_rows, of_columns, values, cells_);
    return;
  }
  std::vector<Index> row(values.size()), column(values.size());
  place(of_rows, 0, row);
  place(of_columns, 0, column);
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
