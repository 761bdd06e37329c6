#include "release/site_counts.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace tulle {
namespace {

SparseTensor table(std::uint64_t users, std::initializer_list<std::array<Index, 2>> cells) {
  SparseTensor result(Shape{users, 3}, Unlisted::missing);
  float value = -1;
  for (const auto& cell : cells) result.append(cell, value++);
  return result;
}

SparseTensor counted(std::uint64_t users, std::initializer_list<std::array<Index, 3>> cells) {
  SparseTensor result(Shape{users, 3}, Unlisted::missing);
  for (const auto& [user, item, count] : cells)
    result.append(std::array{user, item}, static_cast<float>(count));
  return result;
}

TEST(SiteCounts, UsersAreNumberedByTheirCellsAndThenByTheirCounts) {
  const NumberedUsers numbered =
      number_users(counted(9, {{7, 0, 5}, {4, 1, 3}, {2, 1, 4}, {7, 2, 6}, {3, 0, 9}}), 0);
  EXPECT_EQ(numbered.users, (std::vector<Index>{3, 7, 4, 2}));
  EXPECT_EQ(numbered.counts, counted(4, {{0, 0, 9}, {1, 0, 5}, {1, 2, 6}, {2, 1, 3}, {3, 1, 4}}));
}

// A file that is sorted by its counts must not tell them by the order of what is handed out.
TEST(SiteCounts, TheOrderOfTheFileIsNotHandedOut) {
  const NumberedUsers rising = number_users(counted(2, {{0, 1, 1}, {1, 1, 2}, {0, 0, 3}, {1, 0, 4}}), 0),
                      falling = number_users(counted(2, {{0, 0, 4}, {1, 0, 3}, {0, 1, 2}, {1, 1, 1}}), 0);
  EXPECT_EQ(rising.counts, falling.counts);
}

TEST(SiteCounts, UsersOfOneSiteComeAfterThoseOfTheOther) {
  const JoinedCounts joined = join_counts({{table(2, {{1, 0}}), 0.5}, {table(3, {{0, 2}, {2, 1}}), 0}}, 0);
  EXPECT_EQ(joined.counts.shape(), (Shape{5, 3}));
  EXPECT_EQ(joined.first_users, (std::vector<Index>{0, 2}));
  EXPECT_EQ(joined.alphas, (std::vector<double>{0.5, 0, 0}));
  EXPECT_EQ(joined.counts.cells()(2, 0), 4u);
  EXPECT_EQ(joined.counts.values()[1], -1);
}

// A curator of one of two sites, the other of which sends what it makes of what this one sends.
Curator at_one_of_two(std::function<Curator::Bytes(Curator::Bytes)> other) {
  Curator curator = Curator::with_budget({1, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  curator.join_sites({{.sites = 2}, {}, 0, [other](const Curator::Bytes& own) {
                        return std::vector{own, other(own)};
                      }});
  return curator;
}

TEST(SiteCounts, EverySiteHasTheCountsOfAll) {
  const SiteCounts own{table(2, {{1, 0}, {0, 1}}), 0.25};
  const Curator curator = at_one_of_two([](Curator::Bytes sent) { return sent; });
  const std::vector<SiteCounts> all = exchange_counts(own, 0, curator);
  ASSERT_EQ(all.size(), 2u);
  for (const SiteCounts& site : all) {
    EXPECT_EQ(site.counts, own.counts);
    EXPECT_EQ(site.alpha, own.alpha);
  }
  const Curator alone = Curator::with_budget({1, 0}, Unit::entry, Relation::replace);
  EXPECT_EQ(exchange_counts(own, 0, alone).size(), 1u);
}

// Users, counts, alpha (8 bytes each), then of each count a user, an item and a value.
TEST(SiteCounts, WhatAreNoCountsOfThisTableIsRefused) {
  const SiteCounts own{table(2, {{1, 0}, {0, 1}}), 0.25};
  const auto set = [](std::size_t word, std::uint8_t value) {
    return [=](Curator::Bytes sent) {
      sent[8 * word] = value;
      return sent;
    };
  };
  const std::vector<std::function<Curator::Bytes(Curator::Bytes)>> lies = {
      set(0, 3),                                        // more users than counts
      set(0, 0),                                        // no user
      set(1, 3),                                        // more counts than were sent
      set(3, 2),                                        // a user beyond them
      set(4, 3),                                        // an item that there is not
      [](Curator::Bytes) { return Curator::Bytes(); },  // nothing
      [](Curator::Bytes sent) {
        sent.resize(70);
        return sent;
      },  // cut off
      [](Curator::Bytes sent) {
        sent[23] = 0x40;
        return sent;
      },  // alpha 2 or more
      [](Curator::Bytes sent) {
        sent[47] = 0x7f, sent[46] = 0xf0;
        return sent;
      },  // an infinite count
      [](Curator::Bytes sent) {
        sent[47] = 0x46, sent[46] = 0x30;
        return sent;
      },  // one beyond all that has noise
      [](Curator::Bytes sent) {
        sent[47] = 0x3f, sent[46] = 0xe0;
        return sent;
      }};  // half a count
  for (std::size_t lie = 0; lie < lies.size(); ++lie)
    EXPECT_THROW(exchange_counts(own, 0, at_one_of_two(lies[lie])), Error) << lie;
}

}  // namespace
}  // namespace tulle
