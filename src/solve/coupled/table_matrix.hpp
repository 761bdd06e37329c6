// A table of which most cells are listed, as a matrix: rows and columns are combinations of its indices.
#pragma once

#include <tulle/model/coupled.hpp>
#include <tulle/tensor/matrix.hpp>

#include <memory>
#include <vector>

namespace tulle {

class TableMatrix {
 public:
  // The first `rows` of the indices in `levels` are those of a row, the others those of a column, in C order.
  // Cells that are not listed are zeros.
  TableMatrix(const Coupled& model, const Product& product, const SparseTensor& entries, const Axes& levels,
              std::size_t rows);

  bool has_layout(const Axes& levels, std::size_t rows) const { return levels_ == levels && rows_ == rows; }
  const Matrix& cells() const { return cells_; }

  // cells * others. The product is kept, and computed again for other values only: factors of which one is in
  // the rows need the same product, as long as those in the columns do not change. One call at a time.
  const Matrix& times(const Matrix& others);

 private:
  Axes levels_;
  std::size_t rows_;
  Matrix cells_;
  Matrix others_, product_;
};

// Those of one table, which its passes share.
using TableMatrices = std::vector<std::shared_ptr<TableMatrix>>;

}  // namespace tulle
