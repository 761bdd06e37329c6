#include <tulle/data/coupling.hpp>

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

// Users (any number), 3 items, 2 tags: users x items x tags, tags left out in the second relation.
Coupling two_relations() {
  return {.sizes = {1, 3, 2}, .relations = {{"tags", {0, 1, 2}}, {"views", {0, 1}}}};
}

TEST(Coupling, AnEntityThatARelationLacksHasOnePositionMore) {
  const Coupling coupling = two_relations();
  EXPECT_FALSE(coupling.is_lacked(1));
  EXPECT_TRUE(coupling.is_lacked(2));
  EXPECT_EQ(coupling.shape(0, 7), (Shape{7, 3, 3, 2}));
  const Coupling one{.sizes = {3, 1}, .relations = {{"ratings", {0, 1}}}};
  EXPECT_EQ(one.shape(1, 4), (Shape{3, 4})) << "one relation is the tensor itself";
}

TEST(Coupling, CellsOfARelationStandAtItsPosition) {
  const Coupling coupling = two_relations();
  SparseTensor tensor(coupling.shape(0, 2), Unlisted::missing);
  SparseTensor tags(Shape{2, 3, 2}, Unlisted::missing), views(Shape{2, 3}, Unlisted::missing);
  tags.append(std::array<Index, 3>{1, 2, 0}, 5);
  views.append(std::array<Index, 2>{0, 1}, 7);
  append_stacked(tensor, coupling, 0, tags);
  append_stacked(tensor, coupling, 1, views);
  ASSERT_EQ(tensor.size(), 2u);
  const auto first = tensor.cells().cell(0), second = tensor.cells().cell(1);
  EXPECT_EQ((std::vector<Index>{first.begin(), first.begin() + 4}), (std::vector<Index>{1, 2, 0, 0}));
  EXPECT_EQ((std::vector<Index>{second.begin(), second.begin() + 4}), (std::vector<Index>{0, 1, 2, 1}));
  EXPECT_EQ(tensor.values()[1], 7);
}

TEST(Coupling, APublicTableHasAModeOfItsOwnOrNone) {
  const SparseTensor cells(Shape{3, 4}, Unlisted::missing);
  EXPECT_EQ((PublicTable{"features", cells, {1, PublicTable::kOwn}}).own_mode(), 1);
  EXPECT_EQ((PublicTable{"prices", cells, {1, 2}}).own_mode(), 2) << "behind the last";
}

}  // namespace
}  // namespace tulle
