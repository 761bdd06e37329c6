#include "estimate/count_model.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

// Two components, modes of 2, 1 and 2 positions: numbers 1, 2, .. in the order of the layout.
struct Small {
  Shape shape{2, 1, 2};
  ModelLayout layout = ModelLayout::cp(shape, 2);
  std::vector<double> numbers;
  SparseTensor cells{shape, Unlisted::missing};

  Small() {
    for (std::size_t i = 0; i < layout.size(); ++i) numbers.push_back(static_cast<double>(i + 1));
    cells.append(std::array<Index, 3>{0, 0, 1}, 1);
    cells.append(std::array<Index, 3>{1, 0, 1}, 1);
  }
};

TEST(CountModel, ProductsAreOfACellsRows) {
  const Small small;
  std::vector<double> products;
  component_products(small.layout, small.numbers, small.cells.cells(), 0, -1, products);
  EXPECT_EQ(products, (std::vector<double>{1 * 5 * 9, 2 * 6 * 10}));
  component_products(small.layout, small.numbers, small.cells.cells(), 1, 0, products);
  EXPECT_EQ(products, (std::vector<double>{5 * 9, 6 * 10}));
}

TEST(CountModel, ExposureAddsUpTheOtherModesOfARowsCells) {
  const Small small;
  EXPECT_EQ(exposure_of(small.layout, small.numbers, small.cells.cells(), 1),
            (std::vector<double>{1 * 9 + 3 * 9, 2 * 10 + 4 * 10}));
  EXPECT_EQ(exposure_of(small.layout, small.numbers, small.cells.cells(), 2),
            (std::vector<double>{0, 0, 1 * 5 + 3 * 5, 2 * 6 + 4 * 6}));
}

}  // namespace
}  // namespace tulle
