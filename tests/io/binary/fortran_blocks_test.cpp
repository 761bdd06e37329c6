#include "binary/fortran_blocks.hpp"

#include "tensor/samples.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

std::vector<double> in_fortran_order(const DenseTensor& tensor) {
  std::vector<double> all;
  for_each_fortran_block(
      tensor, [&](std::span<const double> block) { all.insert(all.end(), block.begin(), block.end()); });
  return all;
}

TEST(FortranBlocks, OfAMatrixGoColumnByColumn) {
  const DenseTensor matrix(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(in_fortran_order(matrix), (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

// The first mode runs fastest. The last mode has up to 3 tiles of 32 slices.
RC_GTEST_PROP(FortranBlocks, RunThroughTheFirstModeFastest, ()) {
  const Shape first = samples::any_shape(4, 4);
  const Shape shape = first.with(first.order() - 1, *rc::gen::inRange<std::uint64_t>(1, 70));
  const DenseTensor tensor = samples::dense(shape, 1);
  const auto found = in_fortran_order(tensor);
  RC_ASSERT(found.size() == tensor.size());
  for (std::size_t c = 0; c < tensor.size(); ++c) {
    const auto cell = samples::cell_at(shape, c);
    std::size_t place = 0;
    for (int mode = shape.order() - 1; mode >= 0; --mode) place = place * shape[mode] + cell[mode];
    RC_ASSERT(found[place] == tensor.values()[c]);
  }
}

}  // namespace
}  // namespace tulle
