#include "subspace.hpp"

#include "tensor/samples.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/unfold.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

// A basis is known up to its signs: what is compared is the projection on what it spans.
double distance_from_svd(const Matrix& unfolded, const Matrix& found, int count) {
  const Eigen::MatrixXd left = thin_svd(unfolded).u.leftCols(count);
  return (left * left.transpose() - found * found.transpose()).cwiseAbs().maxCoeff();
}

// Singular values that are far apart: those of a matrix of normal entries may be nearly equal, and then
// nothing says which subspace leads.
Matrix with_spread_values(const Matrix& matrix) {
  const Svd svd = thin_svd(matrix);
  Vector values(svd.values.size());
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = std::pow(2, -i);
  return svd.u * values.asDiagonal() * svd.v.transpose();
}

RC_GTEST_PROP(LeadingLeftVectors, AreThoseOfTheSingularValueDecomposition, ()) {
  const auto rows = *rc::gen::inRange(1, 9), columns = *rc::gen::inRange(1, 9);
  const int count = *rc::gen::inRange(1, std::min(rows, columns) + 1);
  const Matrix matrix = with_spread_values(samples::matrix(rows, columns, samples::any_seed()));
  const Matrix found = leading_left_vectors(matrix, count);
  RC_ASSERT((found.transpose() * found).isIdentity(1e-10));
  RC_ASSERT(distance_from_svd(matrix, found, count) < 1e-8);
}

// Of 2 x 3 x 40, the last mode is longer than the product of the others: the other way is taken.
TEST(LeadingLeftVectors, OfATensorAreThoseOfItsUnfolding) {
  const Shape shape{2, 3, 40};
  for (int mode = 0; mode < 3; ++mode) {
    const Matrix unfolded = with_spread_values(unfold(samples::dense(shape, 1), mode));
    const auto [found, square] = leading_left_vectors(fold(unfolded, mode, shape), mode, 2);
    EXPECT_NEAR(square, unfolded.squaredNorm(), 1e-10) << mode;
    EXPECT_TRUE((found.transpose() * found).isIdentity(1e-10)) << mode;
    EXPECT_LT(distance_from_svd(unfolded, found, 2), 1e-8) << mode;
  }
}

}  // namespace
}  // namespace tulle
