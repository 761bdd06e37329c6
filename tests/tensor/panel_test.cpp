#include "tensor/samples.hpp"

#include <tulle/tensor/panel.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace tulle {
namespace {

RC_GTEST_PROP(Panel, HoldsTheMatrixWithZerosBehindEveryRow, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(0, 6), columns = *rc::gen::inRange<std::size_t>(1, 10);
  const Matrix matrix = samples::matrix(rows, columns, samples::any_seed());
  const Panel panel(matrix);
  RC_ASSERT(panel.stride() % Panel::kMultiple == 0);
  RC_ASSERT(panel.stride() - panel.columns() >= 0 && panel.stride() - panel.columns() < Panel::kMultiple);
  RC_ASSERT(panel.matrix() == matrix);
  for (std::size_t i = 0; i < rows; ++i)
    for (int c = panel.columns(); c < panel.stride(); ++c) RC_ASSERT(panel.row(i)[c] == 0);
}

TEST(Panel, RowsOfEightStartOnCacheLines) {
  const Panel panel(3, 8);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(panel.row(i)) % 64, 0u);
  EXPECT_EQ(panel.matrix(), Matrix::Zero(3, 8));
}

TEST(Panel, CopiesAreTheirOwn) {
  const Matrix matrix = samples::matrix(2, 3, 1);
  Panel original(matrix), copy(original), assigned(1, 1);
  assigned = original;
  original.row(0)[0] = 7;
  EXPECT_EQ(copy.matrix(), matrix);
  EXPECT_EQ(assigned.matrix(), matrix);
  original.assign(2 * matrix);
  EXPECT_EQ(original.matrix(), 2 * matrix);
}

}  // namespace
}  // namespace tulle
