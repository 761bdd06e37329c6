#include "io/expect_error.hpp"
#include "tensor/kernels/reference.hpp"
#include "tensor/tubal/tubes_sample.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/tubal/tproduct.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

using namespace samples;

TEST(TProduct, OfTubesIsCircularConvolution) {
  EXPECT_LT(distance(t_product(tube({1, 2}), tube({3, 4})), tube({11, 10})), 1e-14);
}

RC_GTEST_PROP(TProduct, IsTheBlockCirculantProduct, ()) {
  const auto tubes = *tube_sizes();
  const auto n1 = *rc::gen::inRange<std::uint64_t>(1, 5), m = *rc::gen::inRange<std::uint64_t>(1, 5),
             n2 = *rc::gen::inRange<std::uint64_t>(1, 5);
  const DenseTensor a = dense(shape_of({n1, m}, tubes), 1), b = dense(shape_of({m, n2}, tubes), 2);
  const DenseTensor product = t_product(a, b);
  RC_ASSERT(distance(product, reference::t_product(a, b)) < 1e-11);
  RC_ASSERT(distance(t_transpose(product), t_product(t_transpose(b), t_transpose(a))) < 1e-11);
  RC_ASSERT(distance(t_product(t_identity(shape_of({n1, n1}, tubes)), a), a) < 1e-12);
}

TEST(TProduct, DoesNotDependOnThreads) {
  const DenseTensor a = dense({20, 15, 9}, 8), b = dense({15, 10, 9}, 9);
  const int before = threads();
  set_threads(1);
  const DenseTensor product = t_product(a, b);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(t_product(a, b), product);
  }
  set_threads(before);
}

TEST(TProduct, RefusesWhatDoesNotFit) {
  const DenseTensor a(Shape{2, 3, 4}), matrix(Shape{2, 3});
  EXPECT_MESSAGE(
      t_product(a, a),
      "the t-product of a 2x3x4 and a 2x3x4 tensor: the second size of the one must be the first of "
      "the other, and modes "
      "3 on must agree");
  EXPECT_MESSAGE(
      t_product(matrix, matrix),
      "the t-product needs 3 modes or more, but this is a 2x3 matrix; use a cp model for matrices");
}

}  // namespace
}  // namespace tulle
