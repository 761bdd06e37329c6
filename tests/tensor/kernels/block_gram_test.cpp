#include "tensor/samples.hpp"

#include <tulle/tensor/kernels/block_gram.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(BlockGram, IsTheUpperPartOfTheGram) {
  for (int columns : {4, 8, 12, 20, 24})
    for (Eigen::Index rows : {1, 7, 64}) {
      const Matrix block = samples::matrix(rows, columns, 1);
      Matrix gram = Matrix::Zero(columns, columns);
      add_gram(block.data(), static_cast<std::size_t>(columns), static_cast<std::size_t>(rows), gram.data());
      const Matrix expected = block.transpose() * block;
      for (int i = 0; i < columns; ++i)
        for (int j = i; j < columns; ++j) EXPECT_NEAR(gram(i, j), expected(i, j), 1e-12);
    }
}

}  // namespace
}  // namespace tulle
