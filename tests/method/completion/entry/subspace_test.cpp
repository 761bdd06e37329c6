#include "completion/entry/subspace.hpp"

#include "method/private_run.hpp"
#include "solve/absorbing_sum.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

const Range kRange{-1, 3};

SparseTensor sample(const Shape& shape, double fraction) {
  Random random(7);
  DenseTensor tensor(shape);
  for (double& value : tensor.values())
    value = random.chance(0.5) ? kRange.low : kRange.low + 4 * random.uniform();
  return observe(tensor, fraction, 3);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double square = 0;
  for (std::size_t k = 0; k < a.size(); ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(square);
}

PrivateTensor entries_of(const SparseTensor& observed, const Range& range = kRange) {
  return {observed, range, {Unit::entry, Relation::replace}};
}

// All neighbours that move one value to an end of its range.
template <class Query>
double farthest_neighbour(const SparseTensor& observed, const Query& query) {
  const std::vector<double> before = query(observed);
  double farthest = 0;
  for (std::size_t cell = 0; cell < observed.size(); ++cell)
    for (double value : {kRange.low, kRange.high}) {
      SparseTensor neighbour = observed;
      neighbour.values()[cell] = static_cast<float>(value);
      farthest = std::max(farthest, distance(before, query(neighbour)));
    }
  return farthest;
}

TEST(Subspace, GramMovesByNoMoreThanItsSensitivity) {
  for (const Shape& shape : {Shape{6, 5}, Shape{5, 4, 3}, Shape{4, 3, 2, 3}})
    for (double fraction : {0.4, 1.0})
      for (double centre : {-1.0, 0.2, 2.5})
        for (int mode = 0; mode < shape.order(); ++mode) {
          const SparseTensor observed = sample(shape, fraction);
          const double moved = farthest_neighbour(observed, [&](const SparseTensor& tensor) {
            return subspace::gram_above_diagonal(tensor, mode, kRange, centre);
          });
          EXPECT_LE(moved, subspace::gram_sensitivity(entries_of(observed), mode, centre));
        }
}

// A full column of values at the far end of the range, one of which moves across it: the bound is met.
TEST(Subspace, GramSensitivityIsTight) {
  SparseTensor observed = sample(Shape{5, 4, 3}, 1);
  for (float& value : observed.values()) value = 3;
  const auto query = [&](const SparseTensor& tensor) {
    return subspace::gram_above_diagonal(tensor, 0, kRange, 0.2);
  };
  EXPECT_NEAR(farthest_neighbour(observed, query), subspace::gram_sensitivity(entries_of(observed), 0, 0.2),
              1e-4);
}

TEST(Subspace, CoreMovesByNoMoreThanItsSensitivity) {
  const SparseTensor observed = sample(Shape{5, 4, 3}, 0.7);
  Random random(2);
  std::vector<Matrix> bases;
  for (Index size : observed.shape().dimensions()) {
    bases.emplace_back(static_cast<Eigen::Index>(size), 2);
    for (double& entry : bases.back().reshaped<Eigen::RowMajor>()) entry = random.normal();
  }
  const double bound = subspace::core_sensitivity(entries_of(observed), bases, 0.2);
  const auto query = [&](const SparseTensor& tensor) {
    return subspace::core_sums(tensor, bases, kRange, 0.2);
  };
  EXPECT_LE(farthest_neighbour(observed, query), bound);
  SparseTensor low = observed;
  for (float& value : low.values()) value = -1;
  EXPECT_NEAR(farthest_neighbour(low, query), bound, 1e-6 * bound);
}

// One row of 16,000 cells whose partial sum is large when the value that moves is added.
TEST(Subspace, CoreOfALongRowMovesByNoMoreThanItsSensitivity) {
  const testing::AbsorbingSum row{12, 12'000};
  const std::vector<Matrix> bases{Matrix::Ones(1, 1), Matrix::Ones(static_cast<Eigen::Index>(row.size()), 1)};
  const Range range{-1, 1};
  const SparseTensor one = testing::absorbing_row(row, 1), other = testing::absorbing_row(row, -1);
  EXPECT_LE(testing::l2_distance(subspace::core_sums(one, bases, range, 0),
                                 subspace::core_sums(other, bases, range, 0)),
            subspace::core_sensitivity(entries_of(one, range), bases, 0));
  EXPECT_LE(testing::l2_distance(subspace::sum_of_values(one, range), subspace::sum_of_values(other, range)),
            subspace::sum_sensitivity(entries_of(one, range)));
}

Completion run(const SparseTensor& observed, double epsilon, double delta, std::vector<int> ranks = {3}) {
  FitOptions fit;
  fit.model = ModelKind::tucker;
  fit.ranks = std::move(ranks);
  return complete_privately(find_method("subspace"), observed,
                            {.budget = {epsilon, delta}, .relation = {}, .range = {0, 1}, .seed = 1}, {},
                            fit);
}

TEST(Subspace, FindsTheTruthWhenNoiseIsSmallAndTheMeanWhenItIsLarge) {
  const Index ranks[] = {2, 2, 2};
  const Synthetic data = generate_tucker(Shape{25, 20, 15}, ranks, 4, 100);
  const SparseTensor observed = observe(data.noisy, 0.9, 2);
  double mean = 0;
  for (double value : data.truth.values()) mean += value / static_cast<double>(data.truth.size());
  const DenseTensor flat(data.truth.shape(), std::vector<double>(data.truth.size(), mean));
  const double of_mean = distance({flat.values().begin(), flat.values().end()},
                                  {data.truth.values().begin(), data.truth.values().end()}) /
                         std::sqrt(static_cast<double>(flat.size()));
  const Completion precise = run(observed, 1e5, 1e-6);
  EXPECT_LT(testing::rmse(precise.model, data.truth), 0.3 * of_mean);
  EXPECT_LE(precise.guarantee.used.epsilon, 1e5 * (1 + 1e-9));
  EXPECT_LT(testing::rmse(run(observed, 0.5, 1e-6).model, data.truth), 1.1 * of_mean);
}

TEST(Subspace, SaysWhatItNeeds) {
  const SparseTensor observed = sample(Shape{5, 4, 3}, 0.7);
  EXPECT_THROW(run(observed, 1, 0), UsageError);
  EXPECT_THROW(run(observed, 1, 1e-6, {2, 2}), UsageError);
}

}  // namespace
}  // namespace tulle
