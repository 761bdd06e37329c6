#include "counts/count_table.hpp"

#include "method/counts/made_events.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/measurement.hpp>

#include <gtest/gtest.h>

#include <cmath>

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
