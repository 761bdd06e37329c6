#include "expect_error.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace tulle {
namespace {

// Any number of cells from the least that touches every position to all of them.
RC_GTEST_PROP(SparseLowRank, CellsAreDistinctAndTouchEveryPosition, ()) {
  const Shape shape{*rc::gen::inRange<std::uint64_t>(1, 12), *rc::gen::inRange<std::uint64_t>(1, 12),
                    *rc::gen::inRange<std::uint64_t>(1, 6)};
  const auto sizes = shape.dimensions();
  const std::size_t least = *std::max_element(sizes.begin(), sizes.end());
  const auto nnz = *rc::gen::inRange<std::size_t>(least, shape.cells() + 1);
  const double exponent = *rc::gen::element(0.0, 0.5, 1.0, 1.5, 4.0);
  const SparseTensor data =
      sparse_low_rank(shape, nnz, 2, 0.1, exponent, *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(data.size() == nnz);
  RC_ASSERT(data.unlisted() == Unlisted::missing);
  std::set<std::array<Index, kMaxOrder>> cells;
  for (std::size_t entry = 0; entry < nnz; ++entry) cells.insert(data.cells().cell(entry));
  RC_ASSERT(cells.size() == nnz);
  for (int mode = 0; mode < shape.order(); ++mode) {
    const std::set<Index> positions(data.column(mode).begin(), data.column(mode).end());
    RC_ASSERT(positions.size() == shape[mode]);
  }
}

std::vector<std::size_t> counts_from_the_most_frequent(const SparseTensor& data, int mode) {
  std::vector<std::size_t> counts(data.shape()[mode]);
  for (Index position : data.column(mode)) ++counts[position];
  std::sort(counts.rbegin(), counts.rend());
  return counts;
}

// Positions drawn with density 1/x on [1, 1001): the first gets log 2 / log 1001 = 10.0 % of 200,000 draws,
// but for the 1000 that make sure of every position and the few that hit a cell twice. Without a power law,
// all get about 200.
TEST(SparseLowRank, FollowsThePowerLaw) {
  const Shape shape{1000, 100'000, 1000};
  const auto skewed = counts_from_the_most_frequent(sparse_low_rank(shape, 200'000, 1, 0, 1, 1), 0);
  EXPECT_NEAR(static_cast<double>(skewed[0]), 20'000, 0.2 * 20'000);
  EXPECT_GT(skewed[0], 5 * skewed[10]);
  const auto even = counts_from_the_most_frequent(sparse_low_rank(shape, 200'000, 1, 0, 0, 1), 0);
  EXPECT_LT(even[0], 300u);
}

TEST(SparseLowRank, ValuesAreNonNegativeOfMeanOneAndNoiseAddsUp) {
  const Shape shape{300, 200, 100};
  const SparseTensor clean = sparse_low_rank(shape, 50'000, 4, 0, 0, 3),
                     noisy = sparse_low_rank(shape, 50'000, 4, 0.5, 0, 3);
  EXPECT_EQ(clean.cells(), noisy.cells());
  double sum = 0, squares = 0;
  for (std::size_t entry = 0; entry < clean.size(); ++entry) {
    EXPECT_GE(clean.values()[entry], 0);
    sum += clean.values()[entry];
    squares += std::pow(noisy.values()[entry] - clean.values()[entry], 2);
  }
  // The mean varies with the factors: each mode's mean of n uniforms on [0, 2) has a standard error of 0.58 /
  // sqrt(n), at most 0.06, and rank 4 halves it; 6 of those of the three modes together are below 0.3.
  EXPECT_NEAR(sum / 50'000, 1, 0.3);
  EXPECT_NEAR(std::sqrt(squares / 50'000), 0.5, 6 * 0.5 / std::sqrt(2.0 * 50'000));
}

// Without noise, a rank-1 tensor has proportional rows: x[a,c] x[b,d] = x[a,d] x[b,c].
TEST(SparseLowRank, HasTheRank) {
  const SparseTensor data = sparse_low_rank(Shape{6, 7}, 42, 1, 0, 1, 5);
  std::array<std::array<double, 7>, 6> x{};
  for (std::size_t entry = 0; entry < 42; ++entry)
    x[data.column(0)[entry]][data.column(1)[entry]] = data.values()[entry];
  for (int i = 1; i < 6; ++i)
    for (int j = 1; j < 7; ++j) EXPECT_NEAR(x[0][0] * x[i][j], x[0][j] * x[i][0], 1e-5);
}

TEST(SparseLowRank, SeedDecidesAndThreadsDoNot) {
  const Shape shape{500, 400, 300};
  const int before = threads();
  set_threads(1);
  const SparseTensor data = sparse_low_rank(shape, 100'000, 3, 0.1, 1, 8);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(data, sparse_low_rank(shape, 100'000, 3, 0.1, 1, 8));
  }
  set_threads(before);
  EXPECT_NE(data, sparse_low_rank(shape, 100'000, 3, 0.1, 1, 9));
}

TEST(SparseLowRank, RefusesWhatCannotBeMet) {
  const Shape shape{10, 5};
  expect_error([&] { sparse_low_rank(shape, 9, 1, 0, 1, 1); }, "9 cells cannot touch all 10 positions");
  expect_error([&] { sparse_low_rank(shape, 51, 1, 0, 1, 1); }, "a 10x5 tensor has 50 cells, fewer than 51");
  expect_error<UsageError>([&] { sparse_low_rank(shape, 20, 0, 0, 1, 1); }, "rank 0");
  expect_error<UsageError>([&] { sparse_low_rank(shape, 20, 1, -1, 1, 1); }, "noise -1");
  expect_error<UsageError>([&] { sparse_low_rank(shape, 20, 1, 0, -1, 1); }, "exponent -1");
}

}  // namespace
}  // namespace tulle
