#include <tulle/job/prediction.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// One row stands for every user; films 3 and range 1 to 2.
ModelFile sample_file() {
  Cp model{Vector::Ones(1), {Matrix::Ones(1, 1), Matrix(3, 1)}, {}};
  model.factors[1] << 0, 1.5, 7;
  return {.model = model,
          .modes = {{"user", {}, true}, {"film", {}}},
          .method = "als",
          .range = ValueRange{1, 2}};
}

TEST(Prediction, IsClampedToTheRangeUnlessAskedOtherwise) {
  const Cells cells(Shape{1, 3}, {{0, 0, 0}, {0, 1, 2}});
  EXPECT_EQ(predict_cells(sample_file(), cells, Clamping::to_range), (std::vector<double>{1, 1.5, 2}));
  EXPECT_EQ(predict_cells(sample_file(), cells, Clamping::none), (std::vector<double>{0, 1.5, 7}));
}

TEST(Prediction, OfAnyUserIsThatOfTheRowThatStandsForAll) {
  const Cells cells(Shape{9, 3}, {{8}, {1}});
  EXPECT_EQ(predict_cells(sample_file(), cells, Clamping::to_range), (std::vector<double>{1.5}));
}

TEST(Prediction, OfAllCellsIsClampedToo) {
  const DenseTensor all = predict_all(sample_file(), Clamping::to_range);
  EXPECT_EQ(std::vector<double>(all.values().begin(), all.values().end()), (std::vector<double>{1, 1.5, 2}));
}

}  // namespace
}  // namespace tulle
