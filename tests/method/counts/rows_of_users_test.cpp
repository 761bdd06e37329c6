#include "counts/rows_of_users.hpp"

#include "method/counts/made_events.hpp"

#include <tulle/base/error.hpp>

#include <gmock/gmock.h>

#include <map>
#include <numeric>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Users are the second of three modes, whichever users there are.
const Shape kShape{2, 40, 3};
constexpr int kUsers = 1;

NameHashes names(std::uint64_t key) {
  return hashes_for_choice(unnamed_modes(3), kShape, key);
}

// User u has (u c) % 7 rows in cell c.
SparseTensor logs_of(Index first, Index last) {
  SparseTensor events(kShape, Unlisted::zero);
  for (Index user = first; user < last; ++user)
    for (Index cell = 0; cell < 6; ++cell)
      events.append(std::array{cell / 3, user, cell % 3}, static_cast<float>(user * (cell + 1) % 7));
  return events;
}

std::map<std::vector<Index>, double> counts_of(const SparseTensor& events) {
  std::map<std::vector<Index>, double> counts;
  for (std::size_t entry = 0; entry < events.size(); ++entry) {
    const auto cell = events.cells().cell(entry);
    counts[{cell.begin(), cell.begin() + events.order()}] += events.values()[entry];
  }
  return counts;
}

double sum_of(const SparseTensor& events) {
  return std::accumulate(events.values().begin(), events.values().end(), 0.0);
}

TEST(RowsOfUsers, AsManyCountAsMayAndAreThere) {
  const NameHashes hashes = names(1);
  for (Index user = 0; user < 40; ++user) {
    const SparseTensor log = logs_of(user, user + 1);
    double within = 0;
    for (const float rows : log.values()) within += std::min(rows, 3.0f);
    const SparseTensor counted = rows_that_count(log, kUsers, {5, 3}, &hashes);
    EXPECT_EQ(sum_of(counted), std::min(within, 5.0));
    const auto all = counts_of(log);
    for (const auto& [cell, rows] : counts_of(counted)) {
      EXPECT_LE(rows, 3);
      EXPECT_LE(rows, all.at(cell));
    }
  }
}

TEST(RowsOfUsers, FollowFromTheUsersOwn) {
  const NameHashes hashes = names(2);
  const auto counted = [&](Index first, Index last) {
    return counts_of(rows_that_count(logs_of(first, last), kUsers, {4, 2}, &hashes));
  };
  auto together = counted(0, 20);
  for (const auto& [cell, rows] : counted(20, 40)) together[cell] += rows;
  EXPECT_EQ(counted(0, 40), together);
}

// In two files users have other numbers, and the same names.
TEST(RowsOfUsers, FollowFromNamesAndNotFromNumbers) {
  const auto counted = [](Index user, const std::vector<std::string>& users) {
    SparseTensor log(Shape{2, 2, 3}, Unlisted::zero);
    for (Index cell = 0; cell < 6; ++cell) log.append(std::array{cell / 3, user, cell % 3}, 1);
    const std::vector<Mode> modes = {{.name = "a"}, {.name = "user", .labels = users}, {.name = "b"}};
    const NameHashes hashes = hashes_for_choice(modes, log.shape(), 3);
    return counts_of(without_users(rows_that_count(log, kUsers, {2, 1}, &hashes), kUsers));
  };
  EXPECT_EQ(counted(0, {"ann", "bob"}), counted(1, {"abe", "ann"}));
}

// Of 1, 2 and 7 rows 4 are drawn, 0.4 of each row. With 4,000 keys the mean of a cell, of standard deviation
// 1 at most, is within 6 / sqrt(4000) of it but for 1e-8.
TEST(RowsOfUsers, EachRowIsAsLikely) {
  SparseTensor log(kShape, Unlisted::zero);
  log.append(std::array<Index, 3>{0, 7, 0}, 1);
  log.append(std::array<Index, 3>{0, 7, 2}, 2);
  log.append(std::array<Index, 3>{1, 7, 1}, 7);
  constexpr int kKeys = 4000;
  std::map<std::vector<Index>, double> sums;
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    const NameHashes hashes = names(key);
    for (const auto& [cell, rows] : counts_of(rows_that_count(log, kUsers, {4, 10}, &hashes)))
      sums[cell] += rows / kKeys;
  }
  EXPECT_NEAR((sums[{0, 7, 0}]), 0.4, 0.1);
  EXPECT_NEAR((sums[{0, 7, 2}]), 0.8, 0.1);
  EXPECT_NEAR((sums[{1, 7, 1}]), 2.8, 0.1);
}

TEST(RowsOfUsers, ACellListedTwiceIsOne) {
  SparseTensor log(kShape, Unlisted::zero);
  for (int row = 0; row < 5; ++row) log.append(std::array<Index, 3>{1, 3, 2}, 2);
  EXPECT_EQ(counts_of(rows_that_count(log, kUsers, {9, 3}, nullptr)),
            (std::map<std::vector<Index>, double>{{{1, 3, 2}, 3}}));
}

TEST(RowsOfUsers, LimitsAreStated) {
  EXPECT_EQ(row_limits({}).per_user, static_cast<std::uint64_t>(kMostEvents));
  Settings settings;
  settings.set(setting::rows_per_user, 9);
  EXPECT_EQ(row_limits(settings).per_cell, 9u);
  settings.set(setting::rows_per_cell, 20);
  EXPECT_EQ(row_limits(settings).per_cell, 9u);
  settings.set(setting::rows_per_cell, 1);
  EXPECT_EQ(row_limits(settings).per_cell, 1u);
  EXPECT_EQ(rows_fact(row_limits(settings)), "how many rows of a user count (9 at most, 1 in one cell)");
}

// User 3 has rows in two cells, one of which is listed twice, and user 5 has no row.
TEST(RowsOfUsers, AreAddedUpWithinTheLimitOfACell) {
  SparseTensor log(kShape, Unlisted::zero);
  for (int row = 0; row < 5; ++row) log.append(std::array<Index, 3>{1, 3, 2}, 2);
  log.append(std::array<Index, 3>{0, 3, 2}, 1);
  log.append(std::array<Index, 3>{0, 5, 0}, 0);
  EXPECT_EQ(rows_by_user(log, kUsers, 4), (std::vector<std::uint64_t>{5, 0}));
  EXPECT_EQ(rows_by_user(log, kUsers, 100), (std::vector<std::uint64_t>{11, 0}));
}

TEST(RowsOfUsers, UsersAreOneOfThreeModesOrMore) {
  EXPECT_EQ(shape_without_users({4, 5, 6}, 0), (Shape{5, 6}));
  EXPECT_EQ(shape_without_users({4, 5, 6}, 2), (Shape{4, 5}));
  EXPECT_THAT([] { shape_without_users({4, 5, 6}, 3); }, ThrowsMessage<UsageError>(HasSubstr("from 1 to 3")));
  EXPECT_THAT(
      [] {
        shape_without_users({4, 5}, 0);
      },
      ThrowsMessage<UsageError>(HasSubstr("one is the users")));
}

}  // namespace
}  // namespace tulle
