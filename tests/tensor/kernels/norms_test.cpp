#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/norms.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

TEST(Norms, OfASmallTensor) {
  const DenseTensor a(Shape{2, 2}, {1, 2, 3, 4}), b(Shape{2, 2}, {1, 0, -1, 2});
  EXPECT_EQ(inner(a, b), 6);
  EXPECT_EQ(squared_norm(a), 30);
  EXPECT_EQ(norm(a), std::sqrt(30.0));
}

RC_GTEST_PROP(Norms, SparseAgreesWithFilled, ()) {
  const Shape shape = samples::any_shape();
  const SparseTensor a = samples::sparse(shape, 0.5, samples::any_seed());
  const DenseTensor b = samples::dense(shape, samples::any_seed()), filled = samples::filled(a);
  RC_ASSERT(std::abs(inner(a, b) - inner(filled, b)) < 1e-10);
  RC_ASSERT(std::abs(squared_norm(a) - squared_norm(filled)) < 1e-10);
  RC_ASSERT(std::abs(norm(a) - norm(filled)) < 1e-10);
}

TEST(Norms, DoNotDependOnThreads) {
  const int before = threads();
  const DenseTensor tensor = samples::dense(Shape{100, 100, 10}, 1);
  set_threads(1);
  const double expected = squared_norm(tensor);
  EXPECT_NEAR(expected, Eigen::Map<const Vector>(tensor.values().data(), 100'000).squaredNorm(), 1e-7);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(squared_norm(tensor), expected);
  }
  set_threads(before);
}

TEST(Norms, RefuseDifferentShapes) {
  EXPECT_THROW(inner(DenseTensor(Shape{2, 3}), DenseTensor(Shape{3, 2})), Error);
  EXPECT_THROW(inner(SparseTensor(Shape{2, 3}, Unlisted::zero), DenseTensor(Shape{3, 2})), Error);
}

}  // namespace
}  // namespace tulle
