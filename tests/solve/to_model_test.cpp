#include <tulle/solve/to_model.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace tulle {
namespace {

std::vector<double> numbers_of(const ModelLayout& layout) {
  std::vector<double> numbers(layout.size());
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

// Factors (1 2; 3 4) and (5 6; 7 8; 9 10): cell (1, 2) is 3 * 9 + 4 * 10 = 67.
TEST(ToModel, OfCpScalesTheSumOfProducts) {
  const ModelLayout layout = ModelLayout::cp({2, 3}, 2);
  const Model model = to_model(layout, numbers_of(layout), 100, 0.5);
  EXPECT_DOUBLE_EQ(std::get<Cp>(model).at(std::array<Index, 2>{1, 2}), 100 + 0.5 * 67);
}

// Factors (1; 2) and (3 4; 5 6; 7 8), core (9 10): cell (1, 2) is 2 (9 * 7 + 10 * 8) = 286.
TEST(ToModel, OfTuckerScalesTheContractionOfTheCore) {
  const ModelLayout layout = ModelLayout::tucker({2, 3}, {1, 2});
  const Model model = to_model(layout, numbers_of(layout), 100, 0.5);
  EXPECT_DOUBLE_EQ(std::get<Tucker>(model).at(std::array<Index, 2>{1, 2}), 100 + 0.5 * 286);
}

}  // namespace
}  // namespace tulle
