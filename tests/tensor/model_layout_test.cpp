#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/model_layout.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

// Numbers the places of a layout in the order that its description states.
void expect_places_in_order(const ModelLayout& layout) {
  std::size_t next = 0;
  for (int mode = 0; mode < layout.order(); ++mode) {
    RC_ASSERT(layout.start(mode) == next);
    for (std::size_t position = 0; position < layout.shape()[mode]; ++position) {
      RC_ASSERT(layout.row(mode, position) == next);
      next += layout.columns(mode);
    }
    RC_ASSERT(layout.start(mode) + layout.factor_size(mode) == next);
  }
  RC_ASSERT(layout.core_start() == next);
  RC_ASSERT(layout.size() == next + layout.core_size());
}

RC_GTEST_PROP(ModelLayout, OfCpIsTheFactorsOneAfterTheOther, ()) {
  const Shape shape = samples::any_shape();
  const int rank = *rc::gen::inRange(1, 5);
  const ModelLayout layout = ModelLayout::cp(shape, rank);
  expect_places_in_order(layout);
  RC_ASSERT(!layout.has_core());
  RC_ASSERT(layout.core_size() == 0u);
  RC_ASSERT(layout.columns(0) == static_cast<std::size_t>(rank));
}

RC_GTEST_PROP(ModelLayout, OfTuckerEndsWithTheCore, ()) {
  const Shape shape = samples::any_shape();
  const auto ranks = *rc::gen::container<std::vector<int>>(shape.order(), rc::gen::inRange(1, 4));
  const ModelLayout layout = ModelLayout::tucker(shape, ranks);
  expect_places_in_order(layout);
  std::size_t core = 1;
  for (int rank : ranks) core *= static_cast<std::size_t>(rank);
  RC_ASSERT(layout.has_core());
  RC_ASSERT(layout.core_size() == core);
}

TEST(ModelLayout, WithAnotherSizeOfAModeKeepsTheRest) {
  const ModelLayout layout = ModelLayout::tucker({4, 5, 6}, {1, 2, 3}).with(1, 50);
  EXPECT_EQ(layout.shape(), (Shape{4, 50, 6}));
  EXPECT_EQ(layout.start(2), 4u + 100u);
  EXPECT_EQ(layout.size(), 4u + 100u + 18u + 6u);
}

TEST(ModelLayout, RefusesRanksThatDoNotFit) {
  EXPECT_THROW(ModelLayout::cp({2, 2}, 0), UsageError);
  EXPECT_THROW(ModelLayout::tucker({2, 2}, {1}), UsageError);
  EXPECT_THROW(ModelLayout::tucker({2, 2}, {1, 0}), UsageError);
}

}  // namespace
}  // namespace tulle
