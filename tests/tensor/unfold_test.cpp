#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/unfold.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

TEST(Unfold, ColumnsRunInCOrderOfTheRemainingModes) {
  DenseTensor tensor(Shape{2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Matrix first = unfold(tensor, 0), second = unfold(tensor, 1), third = unfold(tensor, 2);
  EXPECT_EQ(first, (Matrix(2, 6) << 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).finished());
  EXPECT_EQ(second, (Matrix(2, 6) << 0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11).finished());
  EXPECT_EQ(third, (Matrix(3, 4) << 0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11).finished());
}

RC_GTEST_PROP(Unfold, FoldIsItsInverse, ()) {
  const Shape shape = samples::any_shape(8, 4);
  const DenseTensor tensor = samples::dense(shape, samples::any_seed());
  const int mode = *rc::gen::inRange(0, shape.order());
  RC_ASSERT(fold(unfold(tensor, mode), mode, shape) == tensor);
}

RC_GTEST_PROP(Unfold, PermuteMovesEveryCell, ()) {
  const Shape shape = samples::any_shape(5, 4);
  const DenseTensor tensor = samples::dense(shape, samples::any_seed());
  std::vector<int> modes(shape.order());
  std::iota(modes.begin(), modes.end(), 0);
  Random(samples::any_seed()).shuffle(std::span(modes));
  const DenseTensor permuted = permute(tensor, modes);
  for (std::size_t offset = 0; offset < tensor.size(); ++offset) {
    const auto cell = samples::cell_at(permuted.shape(), offset);
    std::array<Index, kMaxOrder> origin{};
    for (int mode = 0; mode < shape.order(); ++mode) origin[modes[mode]] = cell[mode];
    RC_ASSERT(permuted[cell] == tensor[origin]);
  }
}

TEST(Unfold, RefusesWhatDoesNotFit) {
  const DenseTensor tensor(Shape{2, 3, 4});
  EXPECT_THROW(unfold(tensor, 3), Error);
  EXPECT_THROW(unfold(tensor, -1), Error);
  EXPECT_THROW(permute(tensor, std::vector{0, 1, 1}), Error);
  EXPECT_THROW(permute(tensor, std::vector{0, 1}), Error);
  try {
    fold(Matrix(3, 9), 1, Shape{2, 3, 4});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a 3x9 matrix is not the mode 2 unfolding of a 2x3x4 tensor");
  }
}

}  // namespace
}  // namespace tulle
