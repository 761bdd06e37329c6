#include "tensor/naive.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/compressed.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace tulle {
namespace {

using testing::random_sparse;

// Entries by cell, read back from one mode of the compressed tensor.
std::map<std::vector<Index>, float> entries_of(const CompressedTensor& compressed, int mode) {
  const CompressedMode& entries = compressed.mode(mode);
  std::map<std::vector<Index>, float> result;
  for (std::size_t row = 0; row < entries.rows.size(); ++row)
    for (std::size_t e = entries.starts[row]; e < entries.starts[row + 1]; ++e) {
      std::vector<Index> cell(compressed.order());
      cell[mode] = entries.rows[row];
      for (std::size_t k = 0; k < entries.others.size(); ++k)
        cell[entries.others[k]] = entries.positions[e * entries.others.size() + k];
      result[cell] = entries.values[e];
    }
  return result;
}

RC_GTEST_PROP(Compressed, EveryModeHoldsEveryEntry, ()) {
  const int order = *rc::gen::inRange(2, 6);
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < order; ++mode) sizes.push_back(*rc::gen::inRange(1, 9));
  const SparseTensor tensor = random_sparse(Shape(sizes), *rc::gen::inRange(0, 200),
                                            *rc::gen::arbitrary<std::uint32_t>(), Unlisted::zero);
  std::map<std::vector<Index>, float> expected;
  for (std::size_t e = 0; e < tensor.size(); ++e) {
    const auto cell = tensor.cells().cell(e);
    expected[std::vector<Index>(cell.begin(), cell.begin() + order)] = tensor.values()[e];
  }
  const CompressedTensor compressed(tensor);
  for (int mode = 0; mode < order; ++mode) {
    RC_ASSERT(entries_of(compressed, mode) == expected);
    const auto& rows = compressed.mode(mode).rows;
    RC_ASSERT(std::set<Index>(rows.begin(), rows.end()).size() == rows.size());
    RC_ASSERT(std::is_sorted(rows.begin(), rows.end()));
  }
}

// Large positions need several passes of the sort; the modes must not cost memory by their size.
TEST(Compressed, HugeModes) {
  const Shape shape{4'000'000'000, 3'000'000'000};
  SparseTensor tensor(shape, Unlisted::missing);
  for (Index i : {3'999'999'999u, 5u, 70'000u, 2'500'000'000u}) {
    const std::array<Index, 2> cell = {i, i / 2};
    tensor.append(cell, static_cast<float>(i % 97));
  }
  const CompressedTensor compressed(tensor);
  EXPECT_EQ(compressed.mode(0).rows, (std::vector<Index>{5u, 70'000u, 2'500'000'000u, 3'999'999'999u}));
  EXPECT_EQ(compressed.mode(1).rows, (std::vector<Index>{2u, 35'000u, 1'250'000'000u, 1'999'999'999u}));
}

TEST(Compressed, TransformsValuesOfEveryMode) {
  SparseTensor tensor(Shape{2, 2}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{0, 1}, 3);
  CompressedTensor compressed(tensor);
  compressed.transform_values(1, 0.5);
  EXPECT_EQ(compressed.mode(0).values.at(0), 1);
  EXPECT_EQ(compressed.mode(1).values.at(0), 1);
}

// A row with more than kHeavyEntries is cut into pieces: the plan must still cover every entry once, in any
// number of threads.
TEST(Compressed, ReduceRowsCoversHeavyRowsOnce) {
  const Index size = 100'000;
  SparseTensor tensor(Shape{3, size}, Unlisted::zero);
  for (Index j = 0; j < size; ++j) {
    tensor.append(std::array<Index, 2>{1, j}, static_cast<float>(j % 13));
    if (j % 1000 == 0) tensor.append(std::array<Index, 2>{0, j}, 1);
  }
  const CompressedTensor compressed(tensor);
  const CompressedMode& entries = compressed.mode(0);
  ASSERT_EQ(entries.heavy_rows.size(), 1u);
  const auto sums = [&] {
    std::vector<double> result(2);
    reduce_rows(
        entries, 1,
        [&](std::size_t begin, std::size_t end, double* sum) {
          for (std::size_t e = begin; e < end; ++e) *sum += entries.values[e] / 3.0;
        },
        [&](std::size_t row, const double* sum) { result[row] += *sum; });
    return result;
  };
  const int before = threads();
  set_threads(1);
  const auto alone = sums();
  set_threads(3);
  EXPECT_EQ(sums(), alone);
  set_threads(before);
  double expected = 0;
  for (Index j = 0; j < size; ++j) expected += (j % 13) / 3.0;
  EXPECT_NEAR(alone[1], expected, 1e-9 * expected);
  EXPECT_NEAR(alone[0], 100 / 3.0, 1e-12);
}

}  // namespace
}  // namespace tulle
