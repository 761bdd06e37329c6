#include "cp/solve_row.hpp"

#include "tensor/samples.hpp"

#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

// Entries of a row: products h of the other modes' rows, variances of these, and values y.
struct RowEntries {
  Matrix h, variances;
  Vector y;

  // As normal_equations lays them out.
  std::vector<double> sums() const {
    const NormalEquations equations(static_cast<int>(h.cols()));
    const int stride = equations.stride;
    std::vector<double> all(equations.size());
    double* at = all.data();
    for (Eigen::Index i = 0; i < h.cols(); ++i)
      for (Eigen::Index j = i; j < h.cols(); ++j) at[i * stride + j] = h.col(i).dot(h.col(j));
    at += stride * stride;
    for (Eigen::Index i = 0; i < h.cols(); ++i) {
      at[i] = h.col(i).dot(y);
      at[stride + i] = h.col(i).sum();
      at[2 * stride + i] = variances.col(i).sum();
    }
    at += 3 * stride;
    at[0] = y.sum();
    at[1] = y.squaredNorm();
    at[2] = static_cast<double>(y.size());
    return all;
  }
};

// Columns, with ones behind them for the offset.
Eigen::MatrixXd design(const RowEntries& entries, bool with_offset) {
  Eigen::MatrixXd result = entries.h;
  if (!with_offset) return result;
  result.conservativeResize(Eigen::NoChange, result.cols() + 1);
  result.col(result.cols() - 1).setOnes();
  return result;
}

RC_GTEST_PROP(SolveRow, IsRidgeRegression, ()) {
  const int rank = *rc::gen::inRange(1, 7), count = *rc::gen::inRange(0, 12);
  const bool with_offset = *rc::gen::arbitrary<bool>();
  const RowEntries entries{samples::matrix(count, rank, 1), samples::matrix(count, rank, 2).cwiseAbs2(),
                           samples::matrix(count, 1, 3).col(0)};
  const int size = rank + with_offset;
  const Vector ridge = Vector::LinSpaced(size, 0.5, 2);

  const Eigen::MatrixXd d = design(entries, with_offset);
  Eigen::MatrixXd normal = d.transpose() * d;
  normal.diagonal() += ridge;
  normal.diagonal().head(rank) += entries.variances.colwise().sum().transpose();
  const Eigen::MatrixXd inverse = least_squares(normal, Eigen::MatrixXd::Identity(size, size));
  const Vector expected = inverse * (d.transpose() * entries.y);

  Vector row(rank), diagonal(size);
  double offset = 0;
  std::vector<double> scratch;
  const RowErrors errors = solve_row(NormalEquations(rank), entries.sums().data(),
                                     {{row.data(), static_cast<std::size_t>(rank)},
                                      with_offset ? &offset : nullptr,
                                      {ridge.data(), static_cast<std::size_t>(size)},
                                      {diagonal.data(), static_cast<std::size_t>(size)}},
                                     scratch);
  RC_ASSERT((row - expected.head(rank)).cwiseAbs().maxCoeff() < 1e-10);
  if (with_offset) RC_ASSERT(std::abs(offset - expected[rank]) < 1e-10);
  RC_ASSERT((diagonal - Vector(inverse.diagonal())).cwiseAbs().maxCoeff() < 1e-10);
  RC_ASSERT(std::abs(errors.squares - (entries.y - d * expected).squaredNorm()) < 1e-9);
  const double uncertainty = entries.variances.colwise().sum().dot(expected.head(rank).cwiseAbs2());
  RC_ASSERT(std::abs(errors.uncertainty - uncertainty) < 1e-10);
}

// Both columns are the same and there is no ridge: the second direction is not there, and gets nothing.
TEST(SolveRow, LeavesOutADirectionThatTheEntriesDoNotHave) {
  const Vector h = (Vector(3) << 1, 2, 3).finished();
  Matrix both(3, 2);
  both << h, h;
  const RowEntries entries{both, Matrix::Zero(3, 2), 2 * h};
  const std::vector<double> ridge = {0, 0};
  std::vector<double> row(2), scratch;
  const RowErrors errors =
      solve_row(NormalEquations(2), entries.sums().data(), {row, nullptr, ridge, {}}, scratch);
  EXPECT_NEAR(row[0], 2, 1e-12);
  EXPECT_EQ(row[1], 0);
  EXPECT_NEAR(errors.squares, 0, 1e-12);
}

}  // namespace
}  // namespace tulle
