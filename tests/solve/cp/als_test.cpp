#include "planted.hpp"
#include "solve/naive_device.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/solve/cp/als.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

using testing::message_of;
using testing::random_model;

SparseTensor listed(const DenseTensor& dense) {
  SparseTensor sparse(dense.shape(), Unlisted::zero);
  std::vector<Index> cell(dense.order());
  for (std::size_t c = 0; c < dense.size(); ++c) {
    for (int mode = 0; mode < dense.order(); ++mode)
      cell[mode] = static_cast<Index>(c / dense.shape().stride(mode) % dense.shape()[mode]);
    if (dense.values()[c] != 0) sparse.append(cell, static_cast<float>(dense.values()[c]));
  }
  return sparse;
}

double relative_error(const DenseTensor& tensor, const Cp& model) {
  const DenseTensor fitted = model.reconstruct();
  double squares = 0, total = 0;
  for (std::size_t c = 0; c < tensor.size(); ++c) {
    squares += std::pow(tensor.values()[c] - fitted.values()[c], 2);
    total += std::pow(tensor.values()[c], 2);
  }
  return std::sqrt(squares / total);
}

CpAlsOptions options_with(int rank, Start start) {
  CpAlsOptions options;
  options.rank = rank;
  options.start = start;
  options.control.max_iterations = 300;
  options.control.tolerance = 1e-9;
  options.control.device = testing::device_under_test();
  return options;
}

TEST(CpAls, RecoversAPlantedModel) {
  const DenseTensor tensor = random_model(Shape{9, 8, 7}, 3, 1).reconstruct();
  for (Start start : {Start::random, Start::spectral}) {
    const auto fit = cp_als(tensor, options_with(3, start));
    EXPECT_TRUE(fit.converged);
    EXPECT_LT(relative_error(tensor, fit.model), 1e-5);
  }
}

TEST(CpAls, EveryOrder) {
  const std::uint64_t sizes[] = {3, 4, 3, 2, 3, 2, 2, 2};
  for (int order = kMinOrder; order <= kMaxOrder; ++order) {
    const DenseTensor tensor = random_model(Shape(std::span(sizes, order)), 1, order).reconstruct();
    EXPECT_LT(relative_error(tensor, cp_als(tensor, options_with(1, Start::random)).model), 1e-6) << order;
    EXPECT_LT(relative_error(tensor, cp_als(listed(tensor), options_with(1, Start::random)).model), 1e-6)
        << order;
  }
}

TEST(CpAls, SparseAndDenseTakeTheSameSteps) {
  DenseTensor tensor = random_model(Shape{6, 5, 4}, 4, 2).reconstruct();
  for (double& value : tensor.values()) value = std::abs(value) < 1 ? 0 : static_cast<float>(value);
  auto options = options_with(2, Start::random);
  options.control.max_iterations = 20;
  options.ridge = 1e-3;
  const auto dense = cp_als(tensor, options), sparse = cp_als(listed(tensor), options);
  ASSERT_EQ(dense.history.size(), sparse.history.size());
  for (std::size_t i = 0; i < dense.history.size(); ++i)
    EXPECT_NEAR(dense.history[i].objective, sparse.history[i].objective, 1e-9);
}

RC_GTEST_PROP(CpAls, ErrorNeverRisesAndIsWhatItSays, ()) {
  const Shape shape{static_cast<std::uint64_t>(*rc::gen::inRange(2, 7)),
                    static_cast<std::uint64_t>(*rc::gen::inRange(2, 7)),
                    static_cast<std::uint64_t>(*rc::gen::inRange(2, 7))};
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const DenseTensor tensor = random_model(shape, 6, seed).reconstruct();
  auto options = options_with(*rc::gen::inRange(1, 4), Start::random);
  options.control.seed = seed;
  options.control.max_iterations = 30;
  const auto fit = cp_als(tensor, options);
  for (std::size_t i = 1; i < fit.history.size(); ++i)
    RC_ASSERT(fit.history[i].objective <= fit.history[i - 1].objective + 1e-7);
  RC_ASSERT(std::abs(fit.history.back().objective - relative_error(tensor, fit.model)) < 1e-6);
  for (const Matrix& factor : fit.model.factors)
    for (int r = 0; r < fit.model.rank(); ++r) RC_ASSERT(std::abs(factor.col(r).norm() - 1) < 1e-9);
  for (int r = 1; r < fit.model.rank(); ++r) RC_ASSERT(fit.model.weights[r] <= fit.model.weights[r - 1]);
}

// More components than there is to explain make the equations singular.
TEST(CpAls, SurvivesSuperfluousComponents) {
  const DenseTensor tensor = random_model(Shape{5, 4, 3}, 1, 3).reconstruct();
  const auto fit = cp_als(tensor, options_with(4, Start::random));
  EXPECT_LT(relative_error(tensor, fit.model), 1e-5);
}

TEST(CpAls, AllZeros) {
  const auto fit = cp_als(DenseTensor(Shape{3, 3}), options_with(2, Start::random));
  EXPECT_EQ(fit.model.weights.norm(), 0);
  EXPECT_TRUE(fit.model.factors[0].allFinite());
}

TEST(CpAls, RidgeShrinks) {
  const DenseTensor tensor = random_model(Shape{5, 4, 3}, 2, 3).reconstruct();
  auto options = options_with(2, Start::random);
  const double loose = cp_als(tensor, options).history.back().objective;
  options.ridge = 0.3;
  EXPECT_GT(cp_als(tensor, options).history.back().objective, loose + 0.01);
}

TEST(CpAls, DoesNotDependOnTheThreads) {
  const SparseTensor tensor = listed(random_model(Shape{40, 30, 20}, 2, 5).reconstruct());
  auto options = options_with(3, Start::random);
  options.control.max_iterations = 5;
  const int before = threads();
  set_threads(1);
  const auto alone = cp_als(tensor, options);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_TRUE(testing::same(cp_als(tensor, options).model, alone.model));
  }
  set_threads(before);
}

TEST(CpAls, ObserverStopsTheFit) {
  const DenseTensor tensor = random_model(Shape{5, 4, 3}, 3, 3).reconstruct();
  auto options = options_with(1, Start::random);
  options.control.tolerance = 0;
  options.control.observer = [](const Iteration& now) { return now.number < 3; };
  const auto fit = cp_als(tensor, options);
  EXPECT_EQ(fit.history.size(), 3u);
  EXPECT_FALSE(fit.converged);
}

TEST(CpAls, RefusesWhatItCannotDo) {
  CpAlsOptions options;
  EXPECT_NE(message_of([&] {
              cp_als(SparseTensor(Shape{2, 2}, Unlisted::missing), options);
            }).find("use complete_cp_als"),
            std::string::npos);
  options.rank = 0;
  EXPECT_NE(message_of([&] {
              cp_als(DenseTensor(Shape{2, 2}), options);
            }).find("rank: 0"),
            std::string::npos);
  options.rank = 1;
  options.ridge = -1;
  EXPECT_NE(message_of([&] {
              cp_als(DenseTensor(Shape{2, 2}), options);
            }).find("ridge: -1"),
            std::string::npos);
  options.ridge = 0;
  DenseTensor infinite(Shape{2, 2});
  infinite.values()[1] = std::numeric_limits<double>::infinity();
  EXPECT_NE(message_of([&] { cp_als(infinite, options); }).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace tulle
