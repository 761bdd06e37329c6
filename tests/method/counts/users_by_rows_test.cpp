#include "counts/users_by_rows.hpp"

#include "method/counts/made_events.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

// With hardly any noise.
Release released(const SparseTensor& events, int user_mode, std::uint64_t per_cell, Curator& curator) {
  return release_users_by_rows(Protected(events), user_mode, per_cell, 1000, curator);
}

Curator curator() {
  return Curator::with_budget({1001, 0}, Unit::user, Relation::add_remove, RandomBits::seeded(1));
}

// Users with 0, 1, 2, 3, 4, 5 and 2^20 rows, each in two cells or in one.
SparseTensor logs() {
  return testing::events_of({7, 2}, {0, 0, 1, 0, 1, 1, 2, 1, 0, 4, 3, 2, 0x1p19f, 0x1p19f});
}

TEST(UsersByRows, AreInTheBinOfTheirRows) {
  Curator open = curator();
  const Release users = released(logs(), 0, 1 << 24, open);
  std::vector<double> expected(kRowBins);
  expected[0] = expected[1] = expected[3] = expected.back() = 1;
  expected[2] = 2;
  EXPECT_EQ(users.values, expected);
  EXPECT_EQ(users.id, kUsersByRows);
}

TEST(UsersByRows, CountRowsWithinTheLimitOfACell) {
  Curator open = curator();
  std::vector<double> expected(kRowBins);
  expected[0] = 2;
  expected[1] = 4;
  EXPECT_EQ(released(logs(), 0, 1, open).values, expected);
}

// Any user is in one bin; and the noise is for that, and paid for.
TEST(UsersByRows, AUserChangesOneOfThemByOne) {
  Curator open = curator();
  const Release users = released(logs(), 0, 1 << 24, open);
  EXPECT_EQ(open.guarantee().releases.back().sensitivity->value(), 1);
  EXPECT_NEAR(open.left().epsilon, 1, 1e-9);
  for (Index user = 0; user < 7; ++user) {
    SparseTensor without(Shape{7, 2}, Unlisted::zero);
    const SparseTensor all = logs();
    for (std::size_t entry = 0; entry < all.size(); ++entry)
      if (all.cells()(entry, 0) != user)
        without.append(std::array{all.cells()(entry, 0), all.cells()(entry, 1)}, all.values()[entry]);
    Curator other = curator();
    const Release fewer = released(without, 0, 1 << 24, other);
    double changed = 0;
    for (std::size_t bin = 0; bin < kRowBins; ++bin)
      changed += std::abs(users.values[bin] - fewer.values[bin]);
    EXPECT_EQ(changed, user == 0 ? 0 : 1);
  }
}

}  // namespace
}  // namespace tulle
