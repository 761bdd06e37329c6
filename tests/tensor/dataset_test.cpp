#include <tulle/base/error.hpp>
#include <tulle/tensor/dataset.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Dataset, PositionsHaveNames) {
  EXPECT_EQ(unnamed_modes(2)[1].name, "mode2");
  const Mode mode{"movie", {"Alien", "Brazil"}};
  EXPECT_EQ(position_name(mode, 1), "Brazil");
  EXPECT_EQ(position_name(mode, 2), "3");
  EXPECT_EQ(position_name({"week", {}}, 0xffff'fffe), "4294967295");
}

TEST(Dataset, KnowsShapeAndListedCells) {
  const Dataset dense{unnamed_modes(2), DenseTensor(Shape{2, 3})};
  EXPECT_EQ(dense.shape(), (Shape{2, 3}));
  EXPECT_EQ(dense.listed(), 6u);
  const Dataset sparse{unnamed_modes(2), SparseTensor(Shape{4, 5}, Unlisted::missing)};
  EXPECT_EQ(sparse.shape(), (Shape{4, 5}));
  EXPECT_EQ(sparse.listed(), 0u);
}

TEST(Dataset, EveryCellOfADenseTensorIsObserved) {
  const SparseTensor listed = observed({unnamed_modes(2), DenseTensor(Shape{2, 2}, {1, 2, 3, 4})});
  EXPECT_EQ(listed,
            SparseTensor(Cells(Shape{2, 2}, {{0, 0, 1, 1}, {0, 1, 0, 1}}), {1, 2, 3, 4}, Unlisted::missing));
}

TEST(Dataset, ObservedCellsOfASparseTensorAreThoseListed) {
  SparseTensor tensor(Shape{2, 2}, Unlisted::missing);
  tensor.append(std::vector<Index>{1, 0}, 3);
  const Dataset data{unnamed_modes(2), tensor};
  EXPECT_EQ(observed(data), tensor);
  Dataset spent = data;
  const float* const held = std::get<SparseTensor>(spent.tensor).values().data();
  const SparseTensor moved = observed(std::move(spent));
  EXPECT_EQ(moved, tensor);
  EXPECT_EQ(moved.values().data(), held) << "not a copy";
  EXPECT_THROW(observed({unnamed_modes(2), SparseTensor(Shape{2, 2}, Unlisted::zero)}), Error);
}

}  // namespace
}  // namespace tulle
