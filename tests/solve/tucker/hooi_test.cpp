#include "solve/naive_device.hpp"
#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/tucker/hooi.hpp>
#include <tulle/tensor/kernels/norms.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

Tucker low_rank(const Shape& shape, const Shape& ranks, std::uint64_t seed) {
  Tucker model{samples::dense(ranks, seed), {}, {}};
  for (int mode = 0; mode < shape.order(); ++mode)
    model.factors.push_back(samples::matrix(shape[mode], ranks[mode], seed + 1 + mode));
  return model;
}

double squared_error(const DenseTensor& a, const DenseTensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a.values()[i] - b.values()[i], 2);
  return sum;
}

TuckerOptions options_of(std::vector<int> ranks, Start start = Start::spectral) {
  TuckerOptions options;
  options.ranks = std::move(ranks);
  options.start = start;
  options.control.device = testing::device_under_test();
  return options;
}

std::vector<int> any_ranks(const Shape& shape) {
  std::vector<int> ranks;
  for (int mode = 0; mode < shape.order(); ++mode) ranks.push_back(*rc::gen::inRange(1, 4));
  return ranks;
}

bool orthonormal(const Matrix& factor) {
  return samples::largest_difference(factor.transpose() * factor,
                                     Matrix::Identity(factor.cols(), factor.cols())) < 1e-10;
}

RC_GTEST_PROP(Hooi, NeverRaisesTheErrorAndReportsIt, ()) {
  const Shape shape = samples::any_shape(4, 7);
  const DenseTensor tensor = samples::dense(shape, samples::any_seed());
  auto options = options_of(any_ranks(shape), *rc::gen::element(Start::random, Start::spectral));
  options.control.tolerance = -1;
  options.control.max_iterations = 6;
  const auto fit = hooi(tensor, options);
  check(fit.model);
  RC_ASSERT(fit.history.size() == 6u);
  const double square = squared_norm(tensor);
  for (std::size_t i = 1; i < fit.history.size(); ++i)
    RC_ASSERT(fit.history[i].objective <= fit.history[i - 1].objective + 1e-12 * square);
  RC_ASSERT(std::abs(squared_error(tensor, fit.model.reconstruct()) - fit.history.back().objective) <
            1e-10 * square);
  for (const Matrix& factor : fit.model.factors) RC_ASSERT(orthonormal(factor));
}

RC_GTEST_PROP(Hooi, StartsFromHosvdAndIsNoWorse, ()) {
  const Shape shape = samples::any_shape(4, 7);
  const DenseTensor tensor = samples::dense(shape, samples::any_seed());
  const auto options = options_of(any_ranks(shape));
  const auto start = hosvd(tensor, options);
  for (const Matrix& factor : start.model.factors) RC_ASSERT(orthonormal(factor));
  const double square = squared_norm(tensor), error = start.history.back().objective;
  RC_ASSERT(std::abs(squared_error(tensor, start.model.reconstruct()) - error) < 1e-10 * square);
  const double refined = hooi(tensor, options).history.back().objective;
  RC_ASSERT(refined <= error + 1e-12 * square);
  RC_ASSERT(error <=
            shape.order() * refined + 1e-10 * square);  // the bound of the sequentially truncated HOSVD
}

RC_GTEST_PROP(Hooi, RecoversATensorOfItsRank, ()) {
  const Shape shape = samples::any_shape(4, 8, 3);
  const auto ranks = any_ranks(shape);
  const Shape core(std::vector<std::uint64_t>(ranks.begin(), ranks.end()));
  const DenseTensor tensor = low_rank(shape, core, samples::any_seed()).reconstruct();
  const double square = squared_norm(tensor);
  RC_ASSERT(squared_error(hosvd(tensor, options_of(ranks)).model.reconstruct(), tensor) < 1e-20 * square);
  RC_ASSERT(squared_error(hooi(tensor, options_of(ranks)).model.reconstruct(), tensor) < 1e-20 * square);
}

RC_GTEST_PROP(Hooi, SparseAgreesWithDense, ()) {
  const Shape shape = samples::any_shape(4, 7);
  const SparseTensor tensor = samples::sparse(shape, 0.6, samples::any_seed());
  auto options = options_of(any_ranks(shape), Start::random);
  options.control.max_iterations = 3;
  options.control.tolerance = -1;
  options.control.seed = samples::any_seed();
  const auto dense = hooi(samples::filled(tensor), options), sparse = hooi(tensor, options);
  check(sparse.model);
  const double square = squared_norm(tensor);
  RC_ASSERT(std::abs(dense.history.back().objective - sparse.history.back().objective) <= 1e-6 * square);
  RC_ASSERT(std::abs(squared_error(sparse.model.reconstruct(), samples::filled(tensor)) -
                     sparse.history.back().objective) <= 1e-10 * square);
}

TEST(Hooi, SparseSpectralStartSeesTheStructure) {
  const DenseTensor tensor = low_rank(Shape{30, 20, 25}, Shape{2, 3, 2}, 5).reconstruct();
  SparseTensor listed(tensor.shape(), Unlisted::zero);
  for (std::size_t offset = 0; offset < tensor.size(); ++offset)
    listed.append(std::span(samples::cell_at(tensor.shape(), offset).data(), 3),
                  static_cast<float>(tensor.values()[offset]));
  auto options = options_of({2, 3, 2});
  options.control.max_iterations = 1;
  EXPECT_LT(hooi(listed, options).history[0].objective, 1e-10 * squared_norm(tensor));
}

TEST(Hooi, CutsRanksThatCannotMatter) {
  const auto fit = hooi(samples::dense(Shape{3, 4, 9}, 1), options_of({7, 1, 9}));
  EXPECT_EQ(fit.model.core.shape(), (Shape{3, 1, 3}));
}

TEST(Hooi, ZeroTensorHasAZeroModel) {
  const auto fit = hooi(DenseTensor(Shape{3, 4, 5}), options_of({2, 2, 2}));
  EXPECT_TRUE(fit.converged);
  EXPECT_EQ(squared_norm(fit.model.reconstruct()), 0);
}

TEST(Hooi, DoesNotDependOnThreads) {
  const int before = threads();
  const DenseTensor dense = samples::dense(Shape{30, 40, 50}, 1);
  const SparseTensor sparse = samples::sparse(Shape{30, 40, 50}, 0.2, 2);
  const auto options = options_of({3, 4, 5});
  set_threads(1);
  const auto of_dense = hooi(dense, options), of_sparse = hooi(sparse, options);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(hooi(dense, options).model.core, of_dense.model.core);
    EXPECT_EQ(hooi(dense, options).model.factors, of_dense.model.factors);
    EXPECT_EQ(hooi(sparse, options).model.core, of_sparse.model.core);
    EXPECT_EQ(hooi(sparse, options).model.factors, of_sparse.model.factors);
  }
  set_threads(before);
}

TEST(Hooi, ObserverStopsTheFit) {
  auto options = options_of({2, 2, 2});
  options.control.observer = [](const Iteration& now) { return now.number < 2; };
  options.control.tolerance = -1;
  const auto fit = hooi(samples::dense(Shape{5, 6, 7}, 1), options);
  EXPECT_EQ(fit.history.size(), 2u);
  EXPECT_FALSE(fit.converged);
}

TEST(Hooi, RefusesBadRequests) {
  const DenseTensor tensor = samples::dense(Shape{3, 4, 5}, 1);
  EXPECT_THROW(hooi(tensor, options_of({2, 2})), UsageError);
  EXPECT_THROW(hosvd(tensor, options_of({2, 0, 2})), UsageError);
  EXPECT_THROW(hooi(SparseTensor(Shape{3, 4}, Unlisted::missing), options_of({1, 1})), Error);
}

}  // namespace
}  // namespace tulle
