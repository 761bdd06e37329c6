// A table as a matrix: rows and columns are combinations of its indices.
#pragma once

#include <tulle/model/coupled.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sorted.hpp>

#include <memory>
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
  };

  TableMatrix(const Coupled& model, const Product& product, const SparseTensor& entries, Layout layout);

  const Layout& layout() const { return layout_; }
  Eigen::Index columns() const { return columns_; }
  std::size_t size() const {
    return layout_.is_dense ? static_cast<std::size_t>(cells_.size()) : entries_.size();
  }
  const Matrix& cells() const { return cells_; }  // of a dense one

  // The matrix times others. The product is kept, and computed again for other values only: factors of which
  // one is in the rows need the same product, as long as those in the columns do not change. One call at a
  // time.
  const Matrix& times(const Matrix& others);

 private:
  void multiply();

  Layout layout_;
  Eigen::Index rows_ = 1, columns_ = 1;
  Matrix cells_;
  SortedEntries entries_;  // by row and column
  Matrix others_, product_;
};

// Those of one table, which its passes share.
using TableMatrices = std::vector<std::shared_ptr<TableMatrix>>;

}  // namespace tulle
