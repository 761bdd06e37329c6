// A table as a matrix, whose rows and columns are combinations of its indices.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/model/coupled.hpp>
#include <tulle/tensor/kernels/cell_sums.hpp>
#include <tulle/tensor/sorted.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace tulle {

class TableMatrix {
 public:
  // The first `rows` indices in `levels` make up a row, the others a column, in C order.
  struct Layout {
    Axes levels;
    std::size_t rows;
    bool is_dense;  // all cells are held, unlisted ones as zeros; otherwise the entries alone
    bool operator==(const Layout&) const = default;

    Layout transposed() const;
    bool is_order_of(const Product& product) const { return levels == product.axes; }
  };

  // A dense matrix refers to the values of the entries if `entries_stay` says that they outlive it and they
  // are all cells in the order of the layout; otherwise it copies them.
  TableMatrix(const Coupled& model, const Product& product, const SparseTensor& entries, Layout layout,
              bool entries_stay = false);
  TableMatrix(const TableMatrix&) = delete;  // it points to its own cells
  TableMatrix& operator=(const TableMatrix&) = delete;

  const Layout& layout() const { return layout_; }
  Eigen::Index rows() const { return rows_; }
  Eigen::Index columns() const { return columns_; }
  std::size_t size() const {
    return layout_.is_dense ? static_cast<std::size_t>(rows_ * columns_) : entries_.size();
  }
  RowsInMemoryOf<float> cells() const { return {cells_, rows_, columns_}; }  // of a dense one

  // The matrix times `others`, or the transpose of a dense one times `others`. The product is kept, and
  // computed again for other values only: several factors in the rows need the same product as long as those
  // in the columns do not change. Not thread-safe.
  const Matrix& times(const RowsInMemory& others);
  const Matrix& transposed_times(const RowsInMemory& others);

  // `width` random combinations of the columns of a dense matrix, or of its rows.
  Matrix sketch(Eigen::Index width, Random& random) const;
  Matrix transposed_sketch(Eigen::Index width, Random& random) const;

 private:
  struct KeptProduct {
    std::optional<PackedFactor> others;
    Matrix value;

    // True if the kept value belongs to other rows; it is then set to zero.
    bool is_renewed_for(const RowsInMemory& now, Eigen::Index rows);
  };

  Layout layout_;
  Eigen::Index rows_ = 1, columns_ = 1;
  std::vector<float> own_cells_;
  const float* cells_ = nullptr;  // of the entries, or own_cells_
  SortedEntries entries_;         // by row and column
  KeptProduct product_, transposed_product_;
};

// The matrices of one table, which its passes share.
using TableMatrices = std::vector<std::shared_ptr<TableMatrix>>;

}  // namespace tulle
