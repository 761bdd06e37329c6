#include "topics/mixture.hpp"

#include "method/topics/any_documents.hpp"
#include "method/topics/samples.hpp"
#include "topics/cube_sum.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using namespace testing;

RC_GTEST_PROP(Mixture, AReplacedRowMovesMomentsByAtMostTheSensitivity, ()) {
  const auto any_row = [&] {
    Matrix row(1, 3);
    for (double& value : row.reshaped()) value = *rc::gen::inRange(-1000, 1001) / 1000.0;
    if (*rc::gen::inRange(0, 4) == 0) row.setConstant(0.577);
    return Matrix(row / std::max(1.0, row.norm()));
  };
  const Matrix one = any_row(), other = *rc::gen::arbitrary<bool>() ? any_row() : Matrix(-one);
  TopicRequest request = words_request(made_up(true_topics(3, 1), 1, 3, 1), 1);
  for (const MomentWeights& weights : {MomentWeights{1, 1, 1}, {0.4, 1, 1}, {0.1, 2, 0.1}}) {
    const auto a = weighted_moments(one, weights), b = weighted_moments(other, weights);
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    RC_ASSERT(std::sqrt(squares) <= replaced_moments(request, weights));
  }
  const auto a = low_moments(one), b = low_moments(other);
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  RC_ASSERT(std::sqrt(squares) <= replaced_low_moments(request));
}

TEST(Mixture, OppositeRowsReachTheSensitivity) {
  TopicRequest request = words_request(made_up(true_topics(3, 1), 1, 3, 1), 1);
  const Matrix row = Vector::Unit(3, 1).transpose();
  const auto a = weighted_moments(row, {1, 1, 1}), b = weighted_moments(-row, {1, 1, 1});
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  EXPECT_NEAR(std::sqrt(squares), replaced_moments(request, {1, 1, 1}), 1e-5);
}

// By definition, on two rows.
TEST(Mixture, MomentsAreSumsOverRows) {
  Matrix rows(2, 2);
  rows << 0.6, 0.8, -1, 0;
  const std::vector<double> low = low_moments(rows);
  ASSERT_EQ(low.size(), 2 + pair_cells(2));
  EXPECT_NEAR(low[0], -0.4, 1e-15);
  EXPECT_NEAR(low[1], 0.8, 1e-15);
  EXPECT_NEAR(low[2 + pair_cell(0, 0)], 1.36, 1e-15);
  EXPECT_NEAR(low[2 + pair_cell(0, 1)], std::sqrt(2) * 0.48, 1e-15);
  const std::vector<double> third = third_moment(rows);
  ASSERT_EQ(third.size(), triple_cells(2));
  EXPECT_NEAR(third[triple_cell(0, 0, 0)], 0.216 - 1, 1e-15);
  EXPECT_NEAR(third[triple_cell(0, 1, 1)], 0.6 * 0.64, 1e-15);
  const LowMoments back = low_moments_of({low, 2}, 2);
  EXPECT_NEAR(back.second(1, 0), 0.48, 1e-15);
  EXPECT_NEAR(back.deviation, std::sqrt(2), 1e-15);
}

// Over several panels, whose rows come in several blocks each.
TEST(Mixture, MomentsOfManyRowsAreSumsOverRows) {
  const Matrix rows = any_rows(2 * kCubePanel + 300, 5, 4);
  const std::vector<double> low = low_moments(rows), third = third_moment(rows);
  const Vector sum = rows.colwise().sum().transpose();
  const Matrix second = rows.transpose() * rows;
  for (std::size_t a = 0; a < 5; ++a) EXPECT_NEAR(low[a], sum[a], 1e-9);
  for_each_pair(5, [&](std::size_t cell, std::size_t a, std::size_t b) {
    EXPECT_NEAR(low[5 + cell], std::sqrt(orders_of(a, b)) * second(a, b), 1e-9);
  });
  for_each_triple(5, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    EXPECT_NEAR(third[cell], (rows.col(a).array() * rows.col(b).array() * rows.col(c).array()).sum(), 1e-9);
  });
}

// Projected rows longer than the bound are shortened before they are cubed.
TEST(Mixture, ProjectedMomentsAreThoseOfProjectedRows) {
  const Matrix rows = any_rows(20, 4, 1), whiten = any_rows(4, 2, 2);
  Cube expected = Cube::Zero(2, 4);
  for (Eigen::Index r = 0; r < rows.rows(); ++r) {
    Vector v = (rows.row(r) * whiten).transpose();
    v /= std::max(v.norm(), 0.1);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k) expected(i, 2 * j + k) += v[i] * v[j] * v[k];
  }
  EXPECT_TRUE(projected_moment(rows, whiten, 0.1).isApprox(expected, 1e-9));
  const std::vector<double> moments = weighted_moments(rows, {1, 1, 1});
  const Cube third = cube_of(std::span(moments).subspan(4 + pair_cells(4)), 4);
  EXPECT_TRUE(project(third, whiten).isApprox(projected_moment(rows, whiten, 1e3) * 1e9, 1e-6));
}

// Exact moments of two spherical components give back their means, weights and variance.
TEST(Mixture, ComesBackFromItsMoments) {
  const Matrix means = (Matrix(3, 2) << 0.6, 0, 0, 0.5, 0.1, 0.3).finished();
  const double variance = 0.01, weights[] = {0.7, 0.3};
  LowMoments low{Vector::Zero(3), variance * Matrix::Identity(3, 3), 0};
  Cube third = Cube::Zero(3, 9);
  for (int k = 0; k < 2; ++k) {
    const Vector mean = means.col(k);
    low.mean += weights[k] * mean;
    low.second += weights[k] * mean * mean.transpose();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c)
          third(a, 3 * b + c) +=
              weights[k] * (mean[a] * mean[b] * mean[c] +
                            variance * (mean[a] * (b == c) + mean[b] * (a == c) + mean[c] * (a == b)));
  }
  const MixtureSubspace subspace = subspace_of(low, 2);
  EXPECT_NEAR(subspace.variance, variance, 1e-12);
  const Topics got =
      mixture_of(subspace, project(third, subspace.whitening.whiten), {.topics = 2, .seed = 1});
  EXPECT_LT(component_error(got.topics, means), 1e-6);
  EXPECT_NEAR(got.weights.maxCoeff(), 0.7, 1e-6);
}

TEST(Mixture, MeansAreNoLongerThanRows) {
  Topics mixture{(Matrix(2, 2) << 3, 0.3, 4, 0.4).finished(), Vector::Constant(2, 0.5), 0};
  shorten_means(mixture);
  EXPECT_NEAR(mixture.topics(0, 0), 0.6, 1e-12);
  EXPECT_EQ(mixture.topics(0, 1), 0.3);
}

}  // namespace
}  // namespace tulle
