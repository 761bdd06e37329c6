#include <tulle/base/error.hpp>
#include <tulle/tensor/kernels/khatri_rao.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace tulle {
namespace {

TEST(KhatriRao, LaterFactorRunsFastest) {
  Matrix a(2, 2), b(3, 2), expected(6, 2);
  a << 1, 2, 3, 4;
  b << 5, 6, 7, 8, 9, 10;
  expected << 5, 12, 7, 16, 9, 20, 15, 24, 21, 32, 27, 40;
  EXPECT_EQ(khatri_rao(a, b), expected);
}

TEST(KhatriRao, OfSeveralIsAssociative) {
  const std::vector<Matrix> factors = {Matrix::Random(2, 3), Matrix::Random(4, 3), Matrix::Random(3, 3)};
  const Matrix product = khatri_rao(factors, 3);
  EXPECT_TRUE(product.isApprox(khatri_rao(khatri_rao(factors[0], factors[1]), factors[2])));
  EXPECT_EQ(khatri_rao(std::span<const Matrix>(), 3), Matrix::Ones(1, 3));
}

TEST(KhatriRao, RefusesDifferentColumns) {
  EXPECT_THROW(khatri_rao(Matrix::Ones(2, 2), Matrix::Ones(2, 3)), Error);
}

}  // namespace
}  // namespace tulle
