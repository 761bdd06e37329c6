#include "completion/entry/margin_sums.hpp"

#include "method/completion/entry/effects_of_pairs.hpp"
#include "method/private_request.hpp"

#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using testing::filled;
using testing::of_pairs;
using testing::private_request;

Cells cells_of(const Shape& shape) {
  return observe(DenseTensor(shape), 1, 1).cells();
}

// Every mode must have another with which each pair of positions has 40 cells on average.
TEST(MarginSums, SuitTensorsWhosePairsHaveManyCells) {
  EXPECT_TRUE(MarginSums::suit(cells_of({40, 40, 40})));
  EXPECT_TRUE(MarginSums::suit(cells_of({1, 40, 40})));
  EXPECT_FALSE(MarginSums::suit(cells_of({39, 39, 39})));
  EXPECT_FALSE(MarginSums::suit(cells_of({2, 3, 40})));  // few positions, few cells per pair
  EXPECT_FALSE(MarginSums::suit(cells_of({400, 400})));
}

TEST(MarginSums, ErrorFallsWithEpsilon) {
  const Cells cells = cells_of({40, 40, 40});
  EXPECT_NEAR(MarginSums::error(cells, 1), 2 * MarginSums::error(cells, 2), 1e-12);
}

// With next to no noise the effects come back.
TEST(MarginSums, WithLittleNoiseFindTheEffects) {
  const DenseTensor truth = filled({40, 30, 60}, of_pairs);
  const PrivateRequest request = private_request(observe(truth, 1, 1), {.budget = {1, 0}, .range = {0, 1}});
  MarginSums margins(request.data.positions(), request.data.range());
  EXPECT_FALSE(margins.found_pairs());
  Curator curator = Curator::with_budget({1e4, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  margins.release(request.data, 1e4, 0, curator);
  EXPECT_TRUE(margins.found_pairs());
  const Cp model = margins.model();
  const DenseTensor got = model.reconstruct();
  double error = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    error = std::max(error, std::abs(got.values()[i] - truth.values()[i]));
  EXPECT_LT(error, 0.02);
}

// All sums in one release, then how far entries are from what they say, for a fiftieth of epsilon.
TEST(MarginSums, SpendTheirEpsilon) {
  const PrivateRequest request =
      private_request(observe(filled({40, 40, 40}, of_pairs), 1, 1), {.budget = {2, 0}, .range = {0, 1}});
  MarginSums margins(request.data.positions(), request.data.range());
  Curator curator = Curator::with_budget({2, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  margins.release(request.data, 2, 0, curator);
  const Guarantee guarantee = curator.guarantee();
  ASSERT_EQ(guarantee.releases.size(), 2u);
  EXPECT_EQ(guarantee.releases[0].numbers, 3u * 40 + 3u * 1600);
  EXPECT_NEAR(guarantee.used.epsilon, 2, 1e-9);
}

}  // namespace
}  // namespace tulle
