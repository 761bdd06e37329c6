#include "model_request.hpp"

#include "method/private_request.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using testing::private_request;

PrivateRequest request_for(const Shape& shape, FitOptions fit) {
  SparseTensor tensor(shape, Unlisted::missing);
  tensor.append(std::vector<Index>(static_cast<std::size_t>(shape.order()), 0), 0.5f);
  return private_request(std::move(tensor), {.budget = {1, 0}, .range = {0, 1}}, std::move(fit));
}

TEST(ModelRequest, LayoutFollowsTheModelAndItsRanks) {
  EXPECT_EQ(layout_of(request_for({4, 5, 6}, {.ranks = {3}})).columns(1), 3u);
  EXPECT_EQ(layout_of(request_for({4, 5, 6}, {})).columns(0), 8u);
  const ModelLayout tucker =
      layout_of(request_for({4, 5, 6}, {.model = ModelKind::tucker, .ranks = {1, 2, 3}}));
  EXPECT_EQ(tucker.core_size(), 6u);
  EXPECT_EQ(layout_of(request_for({4, 5, 6}, {.model = ModelKind::tucker, .ranks = {2}})).core_size(), 8u);
}

TEST(ModelRequest, TubalRankIsALimit) {
  EXPECT_EQ(tubal_rank_of({}, {4, 5, 6}), 0);
  EXPECT_EQ(tubal_rank_of({.ranks = {2}}, {4, 5, 6}), 2);
  EXPECT_THROW(tubal_rank_of({}, {4, 5}), UsageError);
}

TEST(ModelRequest, StandardisedValuesLieBetweenMinusOneAndOne) {
  const Standard standard = standard_of({2, 6});
  EXPECT_EQ(standard.level, 4);
  EXPECT_EQ(standard.scale, 2);
}

// Mean 0 and the variance asked for, within 6 standard errors (false alarms below 1e-8); fixed by the seed.
TEST(ModelRequest, StartsAreNormal) {
  const ModelLayout layout = ModelLayout::cp(Shape{1000, 1000}, 5);
  const std::vector<double> numbers = random_numbers(layout, 3, 1);
  double sum = 0, squares = 0;
  for (double number : numbers) sum += number, squares += number * number;
  const auto count = static_cast<double>(numbers.size());
  EXPECT_NEAR(sum / count, 0, 6 * 3 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 9, 6 * 9 * std::sqrt(2 / count));
  EXPECT_EQ(numbers, random_numbers(layout, 3, 1));
  EXPECT_NE(numbers, random_numbers(layout, 3, 2));
}

}  // namespace
}  // namespace tulle
