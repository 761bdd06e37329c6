#include "tubal/observations.hpp"

#include "tensor/samples.hpp"

#include <tulle/tensor/tubal/spectrum.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace tulle {
namespace {

// Cells in C order are blocks of kTubesPerBlock tubes, one after the other.
RC_GTEST_PROP(Observations, AreTheCellsInTheOrderOfTheBlocksOfTubes, ()) {
  const Shape shape = samples::any_shape(4, 8, 3);
  const SparseTensor tensor = samples::sparse(shape, 0.4, samples::any_seed(), Unlisted::missing);
  std::map<std::size_t, float> expected;
  for (std::size_t e = 0; e < tensor.size(); ++e) {
    const auto cell = tensor.cells().cell(e);
    expected[shape.offset(std::span(cell).first(shape.order()))] = tensor.values()[e];
  }

  const Observations observations(tensor);
  RC_ASSERT(observations.size() == expected.size());
  const std::size_t block_cells = Spectrum::kTubesPerBlock * shape.stride(1);
  auto next = expected.begin();
  for (std::size_t block = 0; block < Spectrum(shape).blocks(); ++block)
    for (std::size_t e = observations.block_begin(block); e < observations.block_end(block); ++e, ++next) {
      RC_ASSERT(block * block_cells + observations.place(e) == next->first);
      RC_ASSERT(observations.value(e) == next->second);
      RC_ASSERT(observations.weight(e) == 1);
    }
  RC_ASSERT(next == expected.end());
}

TEST(Observations, OfACellListedTwiceAreItsMeans) {
  const SparseTensor tensor(Cells(Shape{2, 1, 2}, {{1, 0, 1}, {0, 0, 0}, {1, 0, 1}}), {2, 7, 5},
                            Unlisted::missing);
  const Observations observations(tensor, std::vector<double>{1, 4, 2});
  ASSERT_EQ(observations.size(), 2u);
  EXPECT_EQ(observations.value(0), 7);
  EXPECT_EQ(observations.weight(0), 4);
  EXPECT_EQ(observations.place(1), 3u);
  EXPECT_EQ(observations.value(1), 3.5);
  EXPECT_EQ(observations.weight(1), 1.5);
}

}  // namespace
}  // namespace tulle
