#include "estimate/public_tables.hpp"

#include "estimate/langevin.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

// Users, 6 items, 2 tags.
const ModelLayout kLayout = ModelLayout::cp(Shape{1, 6, 2}, 2);

std::vector<double> some_parameters(std::uint64_t seed) {
  Random random(seed);
  std::vector<double> parameters(kLayout.size());
  for (double& parameter : parameters) parameter = random.normal();
  return parameters;
}

// Features that follow from two columns of the items.
PublicTable features(const std::vector<double>& items) {
  PublicTable table{"features", SparseTensor(Shape{6, 4}, Unlisted::missing), {1, PublicTable::kOwn}};
  for (Index item = 0; item < 6; ++item)
    for (Index feature = 0; feature < 4; ++feature)
      table.cells.append(std::array{item, feature},
                         static_cast<float>(items[2 * item] * (feature + 1) - items[2 * item + 1]));
  return table;
}

TEST(PublicTables, ATableMovesTheFactorsThatItHas) {
  const PublicTables::Slope slope =
      PublicTables({features(some_parameters(4))}, kLayout).at(some_parameters(3));
  for (std::size_t i = 0; i < kLayout.size(); ++i)
    EXPECT_EQ(slope.sum[i] != 0, i >= kLayout.start(1) && i < kLayout.start(2)) << i;
  EXPECT_EQ(slope.bend[0], 0);
  EXPECT_GT(slope.bend[2], 0);
  EXPECT_EQ(slope.bend[4], 0);
}

// Steps without noise come to rest where the table is explained.
TEST(PublicTables, AWarmUpEndsAtTheMode) {
  const PublicTables tables({features(some_parameters(4))}, kLayout);
  Langevin chain(kLayout, 0, {{0, 1, 2}}, some_parameters(3), 1, 1);
  const auto slope_of_items = [&] {
    double squares = 0;
    for (double number : tables.at(chain.parameters()).sum) squares += number * number;
    return std::sqrt(squares);
  };
  const double before = slope_of_items();
  const std::vector<double> start = chain.parameters();
  for (int step = 0; step < 200; ++step) chain.warm_up(tables.at(chain.parameters()), 0.5);
  EXPECT_LT(slope_of_items(), before / 2);
  for (std::size_t i = kLayout.start(2); i < kLayout.size(); ++i)
    EXPECT_EQ(chain.parameters()[i], start[i]) << "tags are in no table";
}

// Units of the values do not matter: they are standardised per feature.
TEST(PublicTables, ScalesOfFeaturesDoNotMatter) {
  PublicTable scaled = features(some_parameters(4));
  const PublicTable plain = scaled;
  for (std::size_t entry = 0; entry < scaled.cells.size(); ++entry)
    scaled.cells.values()[entry] = 8 * scaled.cells.values()[entry] + 4;
  const std::vector<double> parameters = some_parameters(3);
  const auto one = PublicTables({plain}, kLayout).at(parameters),
             other = PublicTables({scaled}, kLayout).at(parameters);
  for (std::size_t i = 0; i < one.sum.size(); ++i) EXPECT_NEAR(one.sum[i], other.sum[i], 1e-5);
}

// A table of items x tags has no entity of its own: one row weighs the columns.
TEST(PublicTables, ATableOfSharedEntitiesAloneMovesBoth) {
  PublicTable table{"prices", SparseTensor(Shape{6, 2}, Unlisted::missing), {1, 2}};
  for (Index item = 0; item < 6; ++item)
    for (Index tag = 0; tag < 2; ++tag) table.cells.append(std::array{item, tag}, float(item * (tag + 1)));
  const PublicTables::Slope slope = PublicTables({table}, kLayout).at(some_parameters(3));
  EXPECT_NE(slope.sum[kLayout.start(1)], 0);
  EXPECT_NE(slope.sum[kLayout.start(2)], 0);
  EXPECT_GT(slope.bend[4], 0);
}

TEST(PublicTables, ThereMayBeNone) {
  EXPECT_TRUE(PublicTables({}, kLayout).empty());
}

}  // namespace
}  // namespace tulle
