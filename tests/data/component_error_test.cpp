#include <tulle/base/error.hpp>
#include <tulle/data/component_error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(ComponentError, IsTheMeanDistanceToTheNearestTruth) {
  Matrix truth(2, 2), recovered(2, 2);
  truth << 1, 0, 0, 1;
  recovered << 0, 0.5, 1, 0.5;
  EXPECT_NEAR(component_error(recovered, truth), (0 + std::sqrt(0.5)) / 2, 1e-15);
  EXPECT_EQ(component_error(truth, truth), 0);
  EXPECT_THROW(component_error(Matrix::Zero(3, 2), truth), Error);
}

}  // namespace
}  // namespace tulle
