#include "release/kept_entries.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Cells sample_cells() {
  return observe(generate_cp(Shape{5, 6, 7}, 1, 1).noisy, 0.5, 1).cells();
}

std::vector<int> counts_of(const Cells& cells, const KeptEntries& kept, int mode) {
  std::vector<int> counts(cells.shape()[mode]);
  for (std::size_t entry : kept.entries) ++counts[cells(entry, mode)];
  return counts;
}

TEST(KeptEntries, AreAtMostSoManyOfAUserAndNoFewerThanThere) {
  const Cells cells = sample_cells();
  const auto all = counts_of(cells, keep_entries(cells, 0, {}, 1), 0);
  const KeptEntries kept = keep_entries(cells, 0, 4, 1);
  const auto counts = counts_of(cells, kept, 0);
  for (std::size_t user = 0; user < counts.size(); ++user) EXPECT_EQ(counts[user], std::min(all[user], 4));
  EXPECT_EQ(kept.most, 4u);
  EXPECT_TRUE(std::ranges::is_sorted(kept.entries));
}

TEST(KeptEntries, WithoutALimitAreAll) {
  const Cells cells = sample_cells();
  const KeptEntries kept = keep_entries(cells, 1, {}, 1);
  EXPECT_EQ(kept.entries.size(), cells.size());
  EXPECT_EQ(static_cast<int>(kept.most), std::ranges::max(counts_of(cells, kept, 1)));
  EXPECT_THROW(keep_entries(cells, 1, 0, 1), UsageError);
}

}  // namespace
}  // namespace tulle
