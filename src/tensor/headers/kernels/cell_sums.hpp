// Sums over all cells of a matrix x, each with its model m = t o^T, where t has a row for every row of x and
// o one for every column:
//   sums[s][i, r] += sum_j c_s(x_ij, m_ij) o[j, r].
// These are two products of matrices, computed tile by tile, so that models and coefficients stay in cache.
//
// The cells are cut into blocks by their number alone, and sums of blocks are added in order: the result is
// the same bit by bit for any number of threads.
#pragma once

#include <tulle/base/chunks.hpp>
#include <tulle/tensor/kernels/narrow_product.hpp>
#include <tulle/tensor/panel.hpp>

#include <array>
#include <vector>

namespace tulle {

template <class Cell>
using RowsInMemoryOf = Eigen::Map<const RowsOf<Cell>>;
using RowsInMemory = RowsInMemoryOf<double>;

// o, in the orders that both products read it in.
class PackedFactor {
 public:
  static constexpr Eigen::Index kTile = 128;  // rows of o, columns of x

  explicit PackedFactor(const RowsInMemory& o) : rows_(o) {}
  void pack_transposed();  // before `model` is called
  bool is_of(const RowsInMemory& o) const;

  int rank() const { return rows_.columns(); }
  // sums += c o for columns first, first + 1, .. of which c holds a column each, or c^T o for such rows.
  template <class Cell>
  void add(const StridedRowsOf<Cell>& c, Eigen::Index first, Panel& sums, std::size_t first_sum) const;
  template <class Cell>
  void add_transposed(const StridedRowsOf<Cell>& c, Eigen::Index first, Panel& sums) const;
  // m = t o^T for the kTile columns from `first` on, which is a multiple of kTile; m has rows of kTile.
  void model(const StridedRows& t, Eigen::Index first, double* m) const;

 private:
  Panel rows_;
  std::vector<double> transposed_;  // tile by tile, each rank x kTile
};

namespace cell_blocks {

// Of a block: with kTile columns, models of a tile stay in the first cache.
constexpr Eigen::Index kRows = 24;
// Of a block of the transpose: columns of x, which are read row by row.
constexpr Eigen::Index kTransposedRows = 64;
constexpr std::size_t kEnough =
    16;  // blocks of rows, to have work for threads; with fewer, columns are cut too
constexpr Eigen::Index kLeastColumns = 4 * PackedFactor::kTile;

struct Block {
  Eigen::Index first_row, rows, first_column, columns;
};

std::vector<Block> cut(Eigen::Index rows, Eigen::Index columns, Eigen::Index most_rows = kRows);

// task(block, own) adds the sums of a block to the zeros of `own`, as many rows for each of Sums as the first
// block has, and returns a number; the numbers are added up.
template <std::size_t Sums, class Task>
double add(const std::vector<Block>& blocks, int rank, bool share, const Task& task,
           const std::array<double*, Sums>& sums) {
  std::vector<double> totals(blocks.size());
  const auto rows = static_cast<std::size_t>(blocks.empty() ? 0 : blocks[0].rows);
  // No two blocks have a row in common, unless columns are cut.
  const bool one_by_one = blocks.size() > 1 && blocks[0].first_row != blocks[1].first_row;
  std::vector<Panel> kept;
  const auto deliver = [&](const Block& block, const Panel& own) {
    for (std::size_t s = 0; s < Sums; ++s)
      for (Eigen::Index i = 0; i < block.rows; ++i) {
        const double* const from = own.row(s * rows + static_cast<std::size_t>(i));
        double* const to = sums[s] + (block.first_row + i) * rank;
        for (int r = 0; r < rank; ++r) to[r] += from[r];
      }
  };
  if (!one_by_one) kept.assign(blocks.size(), Panel(0, rank));
#pragma omp parallel for schedule(dynamic) if (share)
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Panel own(Sums * rows, rank);
    totals[b] = task(blocks[b], own);
    if (one_by_one)
      deliver(blocks[b], own);
    else
      kept[b] = std::move(own);
  }
  double total = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    total += totals[b];
    if (!one_by_one) deliver(blocks[b], kept[b]);
  }
  return total;
}

template <class Cell>
StridedRowsOf<Cell> part(const RowsInMemoryOf<Cell>& matrix, Eigen::Index row, Eigen::Index rows,
                         Eigen::Index column, Eigen::Index columns) {
  return {matrix.data() + row * matrix.cols() + column, rows, columns, Eigen::OuterStride<>(matrix.cols())};
}

inline bool worth_sharing(Eigen::Index cells, int rank, std::size_t products) {
  return static_cast<std::size_t>(cells) * static_cast<std::size_t>(rank) * products > kWorthWaiting;
}

}  // namespace cell_blocks

// sums[i, r] += sum_j x_ij o[j, r], of doubles or floats
template <class Cell>
void add_linear_cell_sums(const RowsInMemoryOf<Cell>& x, const PackedFactor& o, double* sums);

// The same of the transpose of x: sums[j, r] += sum_i x_ij o[i, r]
template <class Cell>
void add_linear_transposed_sums(const RowsInMemoryOf<Cell>& x, const PackedFactor& o, double* sums);

// visit(x, m, coefficients) sets Sums coefficients and returns a number; the numbers are added up and
// returned.
template <std::size_t Sums, class Cell, class Visit>
double add_cell_sums(const RowsInMemoryOf<Cell>& x, const RowsInMemory& t, const RowsInMemory& o,
                     const Visit& visit, const std::array<double*, Sums>& sums) {
  constexpr Eigen::Index kTile = PackedFactor::kTile;
  PackedFactor packed(o);
  packed.pack_transposed();
  const int rank = packed.rank();
  const std::vector<cell_blocks::Block> blocks = cell_blocks::cut(x.rows(), x.cols());
  const auto task = [&](const cell_blocks::Block& block, Panel& own) {
    std::array<std::vector<double>, Sums == 0 ? 1 : Sums> tiles;  // the first holds the models before
    for (auto& tile : tiles) tile.resize(static_cast<std::size_t>(cell_blocks::kRows * kTile));
    std::array<double, kTile> parts{};  // a sum for every column of a tile, so that a row is one loop
    const Eigen::Index end = block.first_column + block.columns;
    for (Eigen::Index first = block.first_column; first < end; first += kTile) {
      const Eigen::Index count = std::min(kTile, end - first);
      packed.model(cell_blocks::part(t, block.first_row, block.rows, 0, rank), first, tiles[0].data());
      for (Eigen::Index i = 0; i < block.rows; ++i) {
        const Cell* const data = x.data() + (block.first_row + i) * x.cols() + first;
        for (Eigen::Index j = 0; j < count; ++j) {
          std::array<double, Sums> coefficients{};
          const auto at = static_cast<std::size_t>(i * kTile + j);
          parts[static_cast<std::size_t>(j)] += visit(data[j], tiles[0][at], coefficients);
          for (std::size_t s = 0; s < Sums; ++s) tiles[s][at] = coefficients[s];
        }
      }
      for (std::size_t s = 0; s < Sums; ++s)
        packed.add(StridedRows(tiles[s].data(), block.rows, count, Eigen::OuterStride<>(kTile)), first, own,
                   s * static_cast<std::size_t>(blocks[0].rows));
    }
    double total = 0;
    for (double part : parts) total += part;
    return total;
  };
  return cell_blocks::add<Sums>(blocks, rank, cell_blocks::worth_sharing(x.size(), rank, 1 + Sums), task,
                                sums);
}

}  // namespace tulle
