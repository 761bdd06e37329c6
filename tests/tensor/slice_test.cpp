#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/slice.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

RC_GTEST_PROP(Slice, HoldsTheCellsAtThePosition, ()) {
  const Shape shape = samples::any_shape(5, 4, 3);
  const int mode = *rc::gen::inRange(0, shape.order());
  const Index position = *rc::gen::inRange<Index>(0, shape[mode]);
  const SparseTensor sparse = samples::sparse(shape, 0.5, samples::any_seed());
  const DenseTensor dense = samples::filled(sparse), result = slice(dense, mode, position);
  RC_ASSERT(result.size() == dense.size() / shape[mode]);
  for (std::size_t offset = 0; offset < result.size(); ++offset) {
    auto cell = samples::cell_at(result.shape(), offset);
    std::copy_backward(cell.begin() + mode, cell.end() - 1, cell.end());
    cell[mode] = position;
    RC_ASSERT(result.values()[offset] == dense[cell]);
  }
  RC_ASSERT(samples::filled(slice(sparse, mode, position)) == result);
}

TEST(Slice, KeepsWhatUnlistedMeans) {
  EXPECT_EQ(slice(SparseTensor(Shape{2, 2, 2}, Unlisted::missing), 0, 1).unlisted(), Unlisted::missing);
}

TEST(Slice, RefusesWhatIsNotThere) {
  EXPECT_THROW(slice(DenseTensor(Shape{2, 3}), 0, 0), Error);
  EXPECT_THROW(slice(DenseTensor(Shape{2, 3, 4}), 3, 0), Error);
  try {
    slice(DenseTensor(Shape{2, 3, 4}), 1, 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "position 4 of mode 2 lies outside its size 3");
  }
}

RC_GTEST_PROP(Crop, HoldsTheFirstPositionsOfEveryMode, ()) {
  const Shape shape = samples::any_shape(5, 4, 2);
  std::vector<std::uint64_t> sizes;
  for (Index size : shape.dimensions()) sizes.push_back(*rc::gen::inRange<std::uint64_t>(1, size + 1));
  const Shape smaller(sizes);
  const SparseTensor sparse = samples::sparse(shape, 0.5, samples::any_seed());
  const DenseTensor dense = samples::filled(sparse), result = crop(dense, smaller);
  for (std::size_t offset = 0; offset < result.size(); ++offset)
    RC_ASSERT(result.values()[offset] == dense[samples::cell_at(smaller, offset)]);
  RC_ASSERT(samples::filled(crop(sparse, smaller)) == result);
}

TEST(Crop, RefusesWhatIsNotThere) {
  EXPECT_THROW(crop(DenseTensor(Shape{2, 3}), Shape{2, 4}), Error);
  EXPECT_THROW(crop(DenseTensor(Shape{2, 3}), Shape{2, 3, 1}), Error);
}

}  // namespace
}  // namespace tulle
