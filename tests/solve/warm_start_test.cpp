#include "io/expect_error.hpp"

#include <tulle/solve/warm_start.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

const Shape kData{3, 4, 5};

TEST(CheckWarmStart, AcceptsAModelOfTheSameShapeWithAModeLeftFree) {
  EXPECT_NO_THROW(check_warm_start(&kData, kData, {}));
  EXPECT_NO_THROW(check_warm_start(&kData, kData, {2, 0}));
  EXPECT_NO_THROW(check_warm_start(&kData, kData, {0, 1, 1}));
  EXPECT_NO_THROW(check_warm_start(nullptr, kData, {}));
}

TEST(CheckWarmStart, SaysWhyAFitCannotStart) {
  const Shape other{3, 4, 6};
  EXPECT_MESSAGE(check_warm_start(nullptr, kData, {0}),
                 "modes can only be held where there is a model to start from; give one");
  EXPECT_MESSAGE(check_warm_start(&other, kData, {}),
                 "a fit of a 3x4x5 tensor cannot start from a model of shape 3x4x6");
  EXPECT_MESSAGE(check_warm_start(&kData, kData, {3}), "there is no mode 4 to hold");
  EXPECT_MESSAGE(check_warm_start(&kData, kData, {-1}), "there is no mode 0 to hold");
  EXPECT_MESSAGE(check_warm_start(&kData, kData, {2, 1, 0}),
                 "all modes are held, so there is nothing to fit; leave one free");
}

}  // namespace
}  // namespace tulle
