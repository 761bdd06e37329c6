#include "counts/count_table.hpp"

#include "method/counts/made_events.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/measurement.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace tulle {
namespace {

CountRequest request_of(const Shape& shape, std::vector<float> counts, Relation relation) {
  return {.shape = shape,
          .relation = relation,
          .budget = {1, 0},
          .events = Protected(testing::events_of(shape, counts))};
}

const Shape kSmall{2, 3};
const std::vector<float> kCounts = {1, 2, 3, 4, 5, 6};

// Without privacy a release is the exact answer.
std::vector<double> exact_table(ModeSet modes) {
  const CountRequest request = request_of(kSmall, kCounts, Relation::add_remove);
  Curator curator = Curator::without_privacy();
  return release_table(request, curator, modes, table_noise(request, modes, Loss::pure, 1)).values;
}

// The largest change of a table in L1 and in L2, over all numbers of rows of a user in the six cells.
std::pair<double, double> largest_changes(const RowLimits& rows, ModeSet modes) {
  double sum = 0, length = 0;
  std::array<std::uint64_t, 6> user{};
  for (;;) {
    const std::uint64_t all = std::accumulate(user.begin(), user.end(), std::uint64_t{0});
    if (all <= rows.per_user) {
      std::map<std::pair<std::size_t, std::size_t>, double> table;
      for (std::size_t cell = 0; cell < 6; ++cell)
        table[{has(modes, 0) ? cell / 3 : 0, has(modes, 1) ? cell % 3 : 0}] +=
            static_cast<double>(user[cell]);
      double squares = 0;
      for (const auto& [cell, change] : table) squares += change * change;
      sum = std::max(sum, static_cast<double>(all));
      length = std::max(length, std::sqrt(squares));
    }
    std::size_t cell = 0;
    while (cell < 6 && ++user[cell] > rows.per_cell) user[cell++] = 0;
    if (cell == 6) return {sum, length};
  }
}

TEST(CountTable, AddsUpTheOtherModes) {
  EXPECT_EQ(exact_table(0), (std::vector<double>{21}));
  EXPECT_EQ(exact_table(0b01), (std::vector<double>{6, 15}));
  EXPECT_EQ(exact_table(0b10), (std::vector<double>{5, 7, 9}));
  EXPECT_EQ(exact_table(0b11), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

// One cell changes by 1 when an event is added, two when it is replaced: in L1 by 1 and 2, in L2 by 1 and the
// root of 2.
TEST(CountTable, NoiseIsForOneEvent) {
  const CountRequest added = request_of(kSmall, kCounts, Relation::add_remove);
  const CountRequest replaced = request_of(kSmall, kCounts, Relation::replace);
  const auto stddev = [](const CountRequest& request, Loss loss) {
    return table_noise(request, 0b11, loss, 0.01).deviation();
  };
  EXPECT_NEAR(stddev(added, Loss::pure), std::sqrt(2) * 100, 0.01);
  EXPECT_NEAR(stddev(replaced, Loss::pure), std::sqrt(2) * 200, 0.01);
  EXPECT_NEAR(stddev(added, Loss::gaussian), 0.01, 1e-6);
  EXPECT_NEAR(stddev(replaced, Loss::gaussian), 0.01 * std::sqrt(2), 1e-6);
}

// Of all that a user may change, the most is what the noise is for: neither more nor less.
TEST(CountTable, NoiseIsForTheRowsOfAUser) {
  for (const RowLimits& rows : {RowLimits{1, 1}, {3, 1}, {4, 2}, {5, 2}, {5, 5}, {6, 4}}) {
    const CountRequest request{.shape = kSmall,
                               .relation = Relation::add_remove,
                               .budget = {1, 1e-6},
                               .events = Protected(testing::events_of(kSmall, kCounts)),
                               .rows = rows};
    for (ModeSet modes = 0; modes < 4; ++modes) {
      const auto [sum, length] = largest_changes(rows, modes);
      const auto noise = [&](Loss loss) { return table_noise(request, modes, loss, 1).sensitivity(); };
      EXPECT_EQ(noise(Loss::pure).in(Norm::l1).value(), sum);
      EXPECT_DOUBLE_EQ(noise(Loss::gaussian).in(Norm::l2).value(), length) << rows.per_user << " " << modes;
      EXPECT_EQ(noise(Loss::gaussian).unit(), Unit::user);
    }
  }
}

TEST(CountTable, AReleasedTableNamesItsModes) {
  const CountRequest request = request_of(kSmall, kCounts, Relation::add_remove);
  Curator curator = Curator::with_budget({1, 0}, Unit::event, Relation::add_remove, RandomBits::seeded(1));
  Measurement measured{.method = "margins", .unit = Unit::event, .shape = kSmall, .high = 1};
  measured.releases = {release_table(request, curator, 0b10, table_noise(request, 0b10, Loss::pure, 0.5)),
                       release_table(request, curator, 0, table_noise(request, 0, Loss::pure, 0.5))};
  const std::vector<NoisyTable> tables = released_tables(measured);
  EXPECT_EQ(tables[0].modes, 0b10u);
  EXPECT_EQ(tables[1].modes, 0u);
  EXPECT_EQ(tables[0].values.size(), 3u);
  measured.releases[0].chosen = {1};
  EXPECT_THROW(released_tables(measured), Error);
}

}  // namespace
}  // namespace tulle
