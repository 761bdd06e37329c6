#include "table_matrix.hpp"

#include <tulle/tensor/kernels/mttkrp.hpp>
#include <tulle/tensor/kernels/sketch.hpp>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

// The positions of the entries along an index, and its size.
struct Level {
  std::span<const Index> positions;
  Index size;
};

// True if the positions are first, first + step, first + 2 step, ..
bool are_steps(std::span<const Index> positions, Index first, Index step) {
  Index difference = 0;
  for (std::size_t i = 0; i < positions.size(); ++i)
    difference |= positions[i] ^ (first + static_cast<Index>(i) * step);
  return difference == 0;
}

// True if the entries are all cells, in C order.
bool are_all_in_order(std::span<const Level> levels, std::size_t entries) {
  std::size_t cells = 1;
  for (const Level& level : levels) cells *= level.size;
  if (entries != cells) return false;
  std::size_t run = entries;  // number of entries that agree in all levels before
  for (const Level& level : levels) {
    const std::size_t each = run / level.size;  // number that agree in this level as well
    for (std::size_t first = 0; first < entries; first += each == 1 ? run : each) {
      const bool is_in_order = each == 1 ? are_steps(level.positions.subspan(first, run), 0, 1)
                                         : are_steps(level.positions.subspan(first, each),
                                                     static_cast<Index>(first % run / each), 0);
      if (!is_in_order) return false;
    }
    run = each;
  }
  return true;
}

// Sets the number of each entry's combination of positions, in C order, for the entries from `first` on.
void place(std::span<const Level> levels, std::size_t first, std::span<Index> places) {
  std::ranges::fill(places, 0);
  for (const Level& level : levels)
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = places[i] * level.size + level.positions[first + i];
}

// Works on a block of entries at a time, so that their places stay in the L1 cache.
void add_values(std::span<const Level> rows, std::span<const Level> columns, std::span<const float> values,
                std::size_t width, std::span<float> cells) {
  std::array<Index, 1024> row, column;
  for (std::size_t first = 0; first < values.size(); first += row.size()) {
    const std::size_t count = std::min(row.size(), values.size() - first);
    place(rows, first, std::span(row).first(count));
    place(columns, first, std::span(column).first(count));
    for (std::size_t i = 0; i < count; ++i) cells[row[i] * width + column[i]] += values[first + i];
  }
}

std::vector<double> random_signs(Eigen::Index count, Random& random) {
  std::vector<double> signs(static_cast<std::size_t>(count));
  for (double& sign : signs) sign = random.chance(0.5) ? 1 : -1;
  return signs;
}

}  // namespace

TableMatrix::Layout TableMatrix::Layout::transposed() const {
  Layout result{levels, levels.size() - rows, is_dense};
  std::rotate(result.levels.begin(), result.levels.begin() + static_cast<std::ptrdiff_t>(rows),
              result.levels.end());
  return result;
}

TableMatrix::TableMatrix(const Coupled& model, const Product& product, const SparseTensor& entries,
                         Layout layout, bool entries_stay)
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
    cells_ = values.data();
    if (entries_stay && are_all_in_order(levels, values.size())) return;
    own_cells_.resize(size());
    cells_ = own_cells_.data();
    add_values(of_rows, of_columns, values, static_cast<std::size_t>(columns_), own_cells_);
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

bool TableMatrix::KeptProduct::is_renewed_for(const RowsInMemory& now, Eigen::Index rows) {
  if (others && others->is_of(now)) return false;
  others.emplace(now);
  value.setZero(rows, now.cols());
  return true;
}

const Matrix& TableMatrix::times(const RowsInMemory& others) {
  if (!product_.is_renewed_for(others, rows_)) return product_.value;
  if (layout_.is_dense) {
    add_linear_cell_sums(cells(), *product_.others, product_.value.data());
  } else {
    // The first panel is a placeholder for the rows, and is not read.
    const Panel factors[] = {Panel(static_cast<std::size_t>(rows_), static_cast<int>(others.cols())),
                             Panel(others)};
    mttkrp(entries_, factors, product_.value);
  }
  return product_.value;
}

const Matrix& TableMatrix::transposed_times(const RowsInMemory& others) {
  if (transposed_product_.is_renewed_for(others, columns_))
    add_linear_transposed_sums(cells(), *transposed_product_.others, transposed_product_.value.data());
  return transposed_product_.value;
}

Matrix TableMatrix::sketch(Eigen::Index width, Random& random) const {
  Matrix sums = Matrix::Zero(rows_, width);
  add_sketch(cells(), random_signs(columns_, random), static_cast<std::size_t>(width), sums.data());
  return sums;
}

Matrix TableMatrix::transposed_sketch(Eigen::Index width, Random& random) const {
  Matrix sums = Matrix::Zero(columns_, width);
  add_transposed_sketch(cells(), random_signs(rows_, random), static_cast<std::size_t>(width), sums.data());
  return sums;
}

}  // namespace tulle
