#include "kernels/panel_gram.hpp"

#include "tensor/samples.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Whole tiles and parts of them, more vectors than one block holds, vectors by rows and by columns of a
// larger matrix; what was in the sum before counts too. Above the diagonal nothing is promised.
TEST(PanelGram, IsAddedForAllSizes) {
  for (Eigen::Index size : {1, 3, 8, 11, 16, 29})
    for (Eigen::Index count : {1, 7, 192, 500}) {
      const Matrix rows = samples::matrix(count, size + 3, 1), columns = samples::matrix(size, count + 3, 2);
      const auto elements = static_cast<std::size_t>(size), vectors = static_cast<std::size_t>(count);
      const auto padded = static_cast<Eigen::Index>(padded_size(elements));
      ASSERT_GE(padded, size);
      const auto lower = [&](const VectorPanel& panel) {
        Matrix sum = Matrix::Ones(padded, padded);
        add_panel_gram(panel, sum);
        return Matrix(sum.topLeftCorner(size, size).triangularView<Eigen::Lower>());
      };
      const auto expected = [&](const Matrix& gram) {
        return Matrix(Matrix(gram.array() + 1).triangularView<Eigen::Lower>());
      };
      const Matrix by_rows = rows.middleCols(2, size), by_columns = columns.middleCols(1, count);
      EXPECT_TRUE(lower({&rows(0, 2), vectors, elements, elements + 3, 1})
                      .isApprox(expected(by_rows.transpose() * by_rows), 1e-12));
      EXPECT_TRUE(lower({&columns(0, 1), vectors, elements, 1, vectors + 3})
                      .isApprox(expected(by_columns * by_columns.transpose()), 1e-12));
    }
}

}  // namespace
}  // namespace tulle
