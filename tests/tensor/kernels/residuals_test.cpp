#include <tulle/tensor/kernels/residuals.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Cells (0, 0) = 10 and (1, 2) = 4 of a 2 x 3 matrix.
SparseTensor two_cells() {
  return {Cells(Shape{2, 3}, {{0, 1}, {0, 2}}), {10, 4}, Unlisted::missing};
}

const Matrix kLeft = (Matrix(2, 1) << 2, 3).finished(), kRight = (Matrix(3, 1) << 1, 5, -1).finished();
const std::vector<Vector> kOffsets = {(Vector(2) << 0.5, 0).finished(), (Vector(3) << 0, 9, 1).finished()};

// Level 1, scale 2: the model says 1 + 2 (2 + 0.5) = 6 and 1 + 2 (-3 + 1) = -3. What is left is 4 and 7.
TEST(SquaredResiduals, OfACpModelAreInTheUnitOfTheData) {
  const std::vector<Panel> factors = {Panel(kLeft), Panel(kRight)};
  EXPECT_DOUBLE_EQ(squared_residuals(two_cells(), factors, kOffsets, 1, 2), 16 + 49);
}

// Values are divided by 2: 5 and 2. With a core of 0.5 the model says 1 + 1 + 0.5 and 1 - 1.5 + 1; without
// offsets 2 and -0.5.
TEST(SquaredResiduals, OfATuckerModelAreOfScaledValues) {
  const SortedEntries cells = sort_by_mode(two_cells(), 0, Levels::small_first);
  const std::vector<Matrix> factors = {kLeft, kRight};
  const DenseTensor core(Shape{1, 1}, {0.5});
  EXPECT_DOUBLE_EQ(squared_residuals(cells, core, factors, kOffsets, 1, 2), 2.5 * 2.5 + 1.5 * 1.5);
  EXPECT_DOUBLE_EQ(squared_residuals(cells, core, factors, {}, 1, 2), 3 * 3 + 2.5 * 2.5);
}

}  // namespace
}  // namespace tulle
