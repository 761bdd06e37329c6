#include "tensor/samples.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/gram.hpp>
#include <tulle/tensor/unfold.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

Matrix by_definition(const DenseTensor& tensor, int mode) {
  const Matrix unfolded = unfold(tensor, mode);
  return unfolded * unfolded.transpose();
}

RC_GTEST_PROP(Gram, DenseFollowsTheDefinition, ()) {
  const Shape shape = samples::any_shape(6, 6);
  const DenseTensor tensor = samples::dense(shape, samples::any_seed());
  const int mode = *rc::gen::inRange(0, shape.order());
  RC_ASSERT(samples::largest_difference(gram(tensor, mode), by_definition(tensor, mode)) < 1e-10);
}

// Each of the three layouts, beyond one panel: last mode, wide blocks, narrow blocks.
TEST(Gram, DenseOfManyPanels) {
  const DenseTensor wide = samples::dense(Shape{20, 30, 2600}, 1),
                    narrow = samples::dense(Shape{700, 30, 3}, 2);
  for (int mode = 0; mode < 3; ++mode) {
    EXPECT_LT(samples::largest_difference(gram(wide, mode), by_definition(wide, mode)), 1e-8);
    EXPECT_LT(samples::largest_difference(gram(narrow, mode), by_definition(narrow, mode)), 1e-8);
  }
}

RC_GTEST_PROP(Gram, SparseIsThatOfTheFilledTensor, ()) {
  const Shape shape = samples::any_shape(5, 6);
  SparseTensor tensor = samples::sparse(shape, 0.4, samples::any_seed());
  if (tensor.size() > 0) {  // a cell listed twice counts twice
    const auto cell = tensor.cells().cell(0);
    tensor.append(std::span(cell.data(), shape.order()), 2);
  }
  const int mode = *rc::gen::inRange(0, shape.order());
  RC_ASSERT(samples::largest_difference(gram(tensor, mode), by_definition(samples::filled(tensor), mode)) <
            1e-10);
}

TEST(Gram, SparseOfManyTasks) {
  const SparseTensor tensor = samples::sparse(Shape{20, 40, 30}, 0.7, 3);
  for (int mode = 0; mode < 3; ++mode)
    EXPECT_LT(samples::largest_difference(gram(tensor, mode), by_definition(samples::filled(tensor), mode)),
              1e-9);
}

TEST(Gram, DoesNotDependOnThreads) {
  const int before = threads();
  const DenseTensor dense = samples::dense(Shape{40, 50, 60}, 1);
  const SparseTensor sparse = samples::sparse(Shape{30, 40, 50}, 0.5, 2);
  for (int mode = 0; mode < 3; ++mode) {
    set_threads(1);
    const Matrix of_dense = gram(dense, mode), of_sparse = gram(sparse, mode);
    for (int count : {2, 3}) {
      set_threads(count);
      EXPECT_EQ(gram(dense, mode), of_dense);
      EXPECT_EQ(gram(sparse, mode), of_sparse);
    }
  }
  set_threads(before);
}

}  // namespace
}  // namespace tulle
