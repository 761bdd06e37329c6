// A table as a matrix: rows and columns are combinations of its indices.
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
  // The first `rows` of the indices in `levels` are those of a row, the others those of a column, in C order.
  struct Layout {
    Axes levels;
    std::size_t rows;
    bool is_dense;  // all cells are held, those that are not listed as zeros; otherwise the entries alone
    bool operator==(const Layout&) const = default;

    Layout transposed() const;
    bool is_order_of(const Product& product) const { return levels == product.axes; }
  };

  // Where the entries stay as long as the matrix does, and are all cells in the order of the layout, a dense
  // one refers to their values.
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

  // The matrix times others, or its transpose times others, of a dense one. The product is kept, and computed
  // again for other values only: factors of which one is in the rows need the same product, as long as those
  // in the columns do not change. One call at a time.
  const Matrix& times(const RowsInMemory& others);
  const Matrix& transposed_times(const RowsInMemory& others);

  // `width` random combinations of the columns of a dense one, or of its rows.
  Matrix sketch(Eigen::Index width, Random& random) const;
  Matrix transposed_sketch(Eigen::Index width, Random& random) const;

 private:
  struct KeptProduct {
    std::optional<PackedFactor> others;
    Matrix value;

    // Whether the value is that of other rows; if so, it becomes zeros.
    bool is_renewed_for(const RowsInMemory& now, Eigen::Index rows);
  };

  Layout layout_;
  Eigen::Index rows_ = 1, columns_ = 1;
  std::vector<float> own_cells_;
  const float* cells_ = nullptr;  // of the entries, or own ones
  SortedEntries entries_;         // by row and column
  KeptProduct product_, transposed_product_;
};

// Those of one table, which its passes share.
using TableMatrices = std::vector<std::shared_ptr<TableMatrix>>;

}  // namespace tulle
