#include "release/kept_entries.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

namespace tulle {
namespace {

Cells sample_cells() {
  return observe(generate_cp(Shape{5, 6, 7}, 1, 1).noisy, 0.5, 1).cells();
}

NameHashes hashes_of(const Cells& cells, std::uint64_t seed = 1) {
  return hashes_for_choice(unnamed_modes(cells.order()), cells.shape(), seed);
}

std::vector<int> counts_of(const Cells& cells, const KeptEntries& kept, int mode) {
  std::vector<int> counts(cells.shape()[mode]);
  for (std::size_t entry : kept.entries) ++counts[cells(entry, mode)];
  return counts;
}

TEST(KeptEntries, AreAtMostSoManyOfAUserAndNoFewerThanThere) {
  const Cells cells = sample_cells();
  const auto all = counts_of(cells, keep_entries(cells, 0, {}, hashes_of(cells)), 0);
  const KeptEntries kept = keep_entries(cells, 0, 4, hashes_of(cells));
  const auto counts = counts_of(cells, kept, 0);
  for (std::size_t user = 0; user < counts.size(); ++user) EXPECT_EQ(counts[user], std::min(all[user], 4));
  EXPECT_EQ(kept.most, 4u);
  EXPECT_TRUE(std::ranges::is_sorted(kept.entries));
}

TEST(KeptEntries, WithoutALimitAreAll) {
  const Cells cells = sample_cells();
  const KeptEntries kept = keep_entries(cells, 1, {}, hashes_of(cells));
  EXPECT_EQ(kept.entries.size(), cells.size());
  EXPECT_EQ(static_cast<int>(kept.most), std::ranges::max(counts_of(cells, kept, 1)));
  EXPECT_THROW(keep_entries(cells, 1, 0, hashes_of(cells)), UsageError);
}

// Users x films, each user with every film; those who are listed, in this order.
struct NamedCells {
  std::vector<Mode> modes;
  Cells cells;
};

NamedCells cells_of(const std::vector<std::string>& users, Index films) {
  NamedCells named{{{"user", users}, {"film", {}}}, Cells(Shape{users.size(), films})};
  for (Index user = 0; user < users.size(); ++user)
    for (Index film = 0; film < films; ++film) named.cells.append(std::array{user, film});
  return named;
}

std::map<std::string, std::set<Index>> kept_films(const std::vector<std::string>& users, std::uint64_t seed) {
  const auto [modes, cells] = cells_of(users, 12);
  std::map<std::string, std::set<Index>> films;
  for (std::size_t entry : keep_entries(cells, 0, 3, hashes_for_choice(modes, cells.shape(), seed)).entries)
    films[users[cells(entry, 0)]].insert(cells(entry, 1));
  return films;
}

// Neither a user less nor another order of users changes which entries of the others are kept.
TEST(KeptEntries, OfAUserDoNotDependOnOtherUsers) {
  const std::vector<std::string> users = {"ann", "bob", "cleo", "dan", "eve"};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto all = kept_films(users, seed);
    EXPECT_EQ(kept_films({"eve", "dan", "cleo", "bob", "ann"}, seed), all);
    for (const std::string& gone : users) {
      std::vector<std::string> left = users;
      std::erase(left, gone);
      auto expected = all;
      expected.erase(gone);
      EXPECT_EQ(kept_films(left, seed), expected) << gone;
    }
  }
}

// Each of 12 films is among the 3 kept ones of 5 users in a quarter of 2000 seeds: 2500 of 10000, within 6
// standard deviations of 43.3; 12 films are outside of that with probability below 1e-7. And users keep films
// of their own: two keep the same three in 1 of 220 seeds.
TEST(KeptEntries, AreEquallyLikelyAndAnotherChoiceForEveryUser) {
  std::map<Index, int> counts;
  int alike = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto films = kept_films({"ann", "bob", "cleo", "dan", "eve"}, seed);
    for (const auto& [user, kept] : films)
      for (Index film : kept) ++counts[film];
    alike += films.at("ann") == films.at("bob");
  }
  ASSERT_EQ(counts.size(), 12u);
  for (const auto& [film, count] : counts) EXPECT_NEAR(count, 2500, 6 * 43.3) << film;
  EXPECT_LT(alike, 40);  // 9 expected, Poisson: 40 or more with probability below 1e-12
}

}  // namespace
}  // namespace tulle
