#include <tulle/tensor/kernels/cell_sums.hpp>

#include <algorithm>

namespace tulle {

void PackedFactor::pack_transposed() {
  const std::size_t tiles = chunk_count(rows_.rows(), kTile), rank = static_cast<std::size_t>(this->rank());
  transposed_.assign(tiles * rank * kTile, 0.0);
  for (std::size_t row = 0; row < rows_.rows(); ++row)
    for (std::size_t r = 0; r < rank; ++r)
      transposed_[(row / kTile * rank + r) * kTile + row % kTile] = rows_.row(row)[r];
}

bool PackedFactor::is_of(const RowsInMemory& o) const {
  if (static_cast<std::size_t>(o.rows()) != rows_.rows() || o.cols() != rank()) return false;
  for (std::size_t row = 0; row < rows_.rows(); ++row)
    if (!std::equal(rows_.row(row), rows_.row(row) + rank(),
                    o.data() + row * static_cast<std::size_t>(rank())))
      return false;
  return true;
}

template <class Cell>
void PackedFactor::add(const StridedRowsOf<Cell>& c, Eigen::Index first, Panel& sums,
                       std::size_t first_sum) const {
  add_narrow_product(c, rows_.row(static_cast<std::size_t>(first)), static_cast<std::size_t>(rank()),
                     static_cast<std::size_t>(rows_.stride()), sums.row(first_sum));
}

template <class Cell>
void PackedFactor::add_transposed(const StridedRowsOf<Cell>& c, Eigen::Index first, Panel& sums) const {
  add_narrow_transposed_product(c, rows_.row(static_cast<std::size_t>(first)),
                                static_cast<std::size_t>(rank()), static_cast<std::size_t>(rows_.stride()),
                                sums.data());
}

void PackedFactor::model(const StridedRows& t, Eigen::Index first, double* m) const {
  std::fill_n(m, t.rows() * kTile, 0.0);
  add_narrow_product(t, transposed_.data() + first * rank(), kTile, kTile, m);
}

std::vector<cell_blocks::Block> cell_blocks::cut(Eigen::Index rows, Eigen::Index columns,
                                                 Eigen::Index most_rows) {
  const std::size_t row_blocks =
      chunk_count(static_cast<std::size_t>(rows), static_cast<std::size_t>(most_rows));
  const Eigen::Index pieces = static_cast<Eigen::Index>(row_blocks >= kEnough ? 1 : kEnough);
  constexpr Eigen::Index kTile = PackedFactor::kTile;
  const Eigen::Index piece = std::max(kLeastColumns, (columns + pieces - 1) / pieces);
  const Eigen::Index width =
      pieces == 1 ? std::max<Eigen::Index>(columns, 1) : (piece + kTile - 1) / kTile * kTile;
  std::vector<Block> blocks;
  for (Eigen::Index row = 0; row < rows; row += most_rows)
    for (Eigen::Index column = 0; column < columns; column += width)
      blocks.push_back({row, std::min(most_rows, rows - row), column, std::min(width, columns - column)});
  return blocks;
}

template <class Cell>
void add_linear_cell_sums(const RowsInMemoryOf<Cell>& x, const PackedFactor& o, double* sums) {
  const auto task = [&](const cell_blocks::Block& block, Panel& own) {
    o.add(cell_blocks::part(x, block.first_row, block.rows, block.first_column, block.columns),
          block.first_column, own, 0);
    return 0.0;
  };
  cell_blocks::add<1>(cell_blocks::cut(x.rows(), x.cols()), o.rank(),
                      cell_blocks::worth_sharing(x.size(), o.rank(), 1), task, {sums});
}

template <class Cell>
void add_linear_transposed_sums(const RowsInMemoryOf<Cell>& x, const PackedFactor& o, double* sums) {
  const auto task = [&](const cell_blocks::Block& block, Panel& own) {  // of the transpose
    o.add_transposed(cell_blocks::part(x, block.first_column, block.columns, block.first_row, block.rows),
                     block.first_column, own);
    return 0.0;
  };
  cell_blocks::add<1>(cell_blocks::cut(x.cols(), x.rows(), cell_blocks::kTransposedRows), o.rank(),
                      cell_blocks::worth_sharing(x.size(), o.rank(), 1), task, {sums});
}

template void PackedFactor::add(const StridedRowsOf<double>&, Eigen::Index, Panel&, std::size_t) const;
template void add_linear_cell_sums(const RowsInMemoryOf<double>&, const PackedFactor&, double*);
template void add_linear_cell_sums(const RowsInMemoryOf<float>&, const PackedFactor&, double*);
template void add_linear_transposed_sums(const RowsInMemoryOf<float>&, const PackedFactor&, double*);

}  // namespace tulle
