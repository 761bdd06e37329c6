#include "coupled_layout.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

const Coupling kCoupling{.sizes = {1, 3, 2}, .relations = {{"tags", {0, 1, 2}}, {"views", {0, 1}}}};

CoupledLayout layout() {
  return {ModelLayout::cp(kCoupling.shape(0, 1), 1), &kCoupling};
}

const std::vector<double> kNumbers = {0.5, 1, 2, 3, 4, 5};  // of a user, items, tags

TEST(CoupledLayout, EntitiesHaveTheParametersAndTheRestIsOne) {
  const std::vector<double> all = layout().to_tensor(kNumbers);
  EXPECT_EQ(all, (std::vector<double>{0.5, 1, 2, 3, 4, 5, 1, 1, 1}));
  EXPECT_EQ(layout().to_entities(all), kNumbers);
  EXPECT_EQ(layout().entities().size(), 6u);
  EXPECT_EQ(layout().relations(), (std::vector<std::vector<int>>{{0, 1, 2}, {0, 1}}));
}

TEST(CoupledLayout, OneRelationIsTheTensor) {
  const CoupledLayout one(ModelLayout::cp(Shape{1, 3}, 2));
  EXPECT_EQ(one.entities().size(), one.tensor().size());
  const std::vector<double> numbers = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(one.to_tensor(numbers), numbers);
  EXPECT_EQ(one.relations(), (std::vector<std::vector<int>>{{0, 1}}));
  EXPECT_EQ(one.tables({{2, 3}}).table_mode, -1);
}

// The model of a relation is that of its own entities, around its own mean.
TEST(CoupledLayout, EveryRelationHasTheModelOfItsEntities) {
  const std::vector<Standard> standards = {{10, 2}, {20, 2}};
  const Model model = layout().model(layout().tensor(), layout().to_tensor(kNumbers), standards);
  const Cp& cp = std::get<Cp>(model);
  EXPECT_DOUBLE_EQ(cp.at(std::array<Index, 4>{0, 2, 1, 0}), 10 + 2 * 0.5 * 3 * 5);
  EXPECT_DOUBLE_EQ(cp.at(std::array<Index, 4>{0, 2, 2, 1}), 20 + 2 * 0.5 * 3);
  check(cp);
}

TEST(CoupledLayout, ConstantsAreRowsOfRelationsAndOfLackedEntities) {
  const SliceTables tables = layout().tables({{10, 2}, {20, 2}});
  EXPECT_EQ(tables.table_mode, 3);
  EXPECT_FALSE(tables.is_constant(1, 2));
  EXPECT_FALSE(tables.is_constant(2, 1));
  EXPECT_TRUE(tables.is_constant(2, 2));
  EXPECT_TRUE(tables.is_constant(3, 0));
}

}  // namespace
}  // namespace tulle
