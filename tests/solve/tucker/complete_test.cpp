#include "synthetic.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/tucker/complete_als.hpp>
#include <tulle/solve/tucker/complete_sgd.hpp>
#include <tulle/tensor/kernels/norms.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

template <class Options>
Fit<Tucker> complete(const SparseTensor& observed, const Options& options) {
  if constexpr (std::is_same_v<Options, TuckerCompletionAlsOptions>) {
    return complete_tucker_als(observed, options);
  } else {
    return complete_tucker_sgd(observed, options);
  }
}

template <class Options>
class TuckerCompletion : public testing::Test {
 public:
  static Options options_of(std::vector<int> ranks) {
    Options options;
    options.ranks = std::move(ranks);
    return options;
  }
};
using Solvers = testing::Types<TuckerCompletionAlsOptions, TuckerCompletionSgdOptions>;
TYPED_TEST_SUITE(TuckerCompletion, Solvers);

// The objective of complete_als.hpp, cell by cell, without biases.
double objective_by_definition(const SparseTensor& observed, const Tucker& model, double ridge,
                               double core_ridge, bool per_cell) {
  double sum = 0;
  for (std::size_t entry = 0; entry < observed.size(); ++entry) {
    const auto cell = observed.cells().cell(entry);
    sum += std::pow(observed.values()[entry] - model.at(std::span(cell.data(), observed.order())), 2);
    if (!per_cell) continue;
    for (int mode = 0; mode < observed.order(); ++mode)
      sum += ridge * model.factors[mode].row(cell[mode]).squaredNorm();
    sum += core_ridge * squared_norm(model.core);
  }
  if (per_cell) return sum;
  for (const Matrix& factor : model.factors) sum += ridge * factor.squaredNorm();
  return sum + core_ridge * squared_norm(model.core);
}

TYPED_TEST(TuckerCompletion, ReportsItsObjective) {
  const SparseTensor observed = samples::sparse(Shape{6, 5, 7}, 0.6, 1, Unlisted::missing);
  for (const bool per_cell : {true, false}) {
    auto options = this->options_of({2, 3, 2});
    options.ridge = 0.03;
    options.core_ridge = 0.02;
    options.per_cell = per_cell;
    options.biases = false;
    options.scale = 1;
    options.control.max_iterations = 4;
    const auto fit = complete(observed, options);
    EXPECT_NEAR(
        fit.history.back().objective / objective_by_definition(observed, fit.model, 0.03, 0.02, per_cell), 1,
        1e-10);
  }
}

// Nothing to tune: a constant in the values, noise as strong as the signal.
TEST(TuckerCompletionSimulation, BothSolversRecover) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto data = samples::simulate(seed);
    TuckerCompletionAlsOptions als;
    als.ranks = {3, 3, 3};
    TuckerCompletionSgdOptions sgd;
    sgd.ranks = {3, 3, 3};
    const double by_als = samples::test_rmse(complete(data.train, als).model, data);
    const double by_sgd = samples::test_rmse(complete(data.train, sgd).model, data);
    const auto values = data.test.values();
    double noise = 0;
    for (std::size_t entry = 0; entry < values.size(); ++entry)
      noise += std::pow(values[entry] - data.truth[entry], 2);
    noise = std::sqrt(noise / static_cast<double>(values.size()));
    EXPECT_LT(by_als, 0.3 * noise)
        << seed;  // 207 parameters from 3200 cells: sqrt(207 / 3200) = 0.25 of the noise
    EXPECT_LT(std::max(by_als, by_sgd), 1.05 * std::min(by_als, by_sgd)) << seed;
  }
}

TEST(TuckerCompletionAls, GoesOnFromAModelAndHoldsModes) {
  const auto data = samples::simulate(3);
  TuckerCompletionAlsOptions options;
  options.ranks = {3, 3, 3};
  const Tucker first = complete_tucker_als(data.train, options).model;
  const double error = samples::test_rmse(first, data);
  options.ranks = {};
  options.from = &first;
  options.held = {0, 2};
  options.control.max_iterations = 2;
  for (std::optional<double> ridge : {std::optional<double>(1e-3), std::optional<double>()}) {
    options.ridge = ridge;
    const Tucker second = complete_tucker_als(data.train, options).model;
    EXPECT_EQ(second.factors[0], first.factors[0]);
    EXPECT_EQ(second.factors[2], first.factors[2]);
    EXPECT_NE(second.factors[1], first.factors[1]);
    EXPECT_LT(samples::test_rmse(second, data), 1.2 * error) << ridge.has_value();
  }
}

// Learnt ridges: ranks far too high must not cost accuracy, as they do with a weak ridge.
TYPED_TEST(TuckerCompletion, LearntRidgeForgivesTooHighRanks) {
  const auto data = samples::simulate(11, Shape{30, 30, 30}, 2, 1, 0.8);
  const double right = samples::test_rmse(complete(data.train, this->options_of({2, 2, 2})).model, data);
  auto options = this->options_of({6, 6, 6});
  EXPECT_LT(samples::test_rmse(complete(data.train, options).model, data), 1.25 * right);
  options.ridge = options.core_ridge = 1e-6;
  EXPECT_GT(samples::test_rmse(complete(data.train, options).model, data), 2 * right);
}

// Values that hold nothing but noise: the level is the best that can be said of them.
TYPED_TEST(TuckerCompletion, LearntRidgeFindsNothingInNoise) {
  SparseTensor observed(Shape{30, 30, 30}, Unlisted::missing);
  Random random(12);
  for (std::size_t offset = 0; offset < 27000; ++offset)
    if (random.chance(0.1))
      observed.append(std::span(samples::cell_at(observed.shape(), offset).data(), 3),
                      static_cast<float>(random.normal()));
  const auto model = complete(observed, this->options_of({4, 4, 4})).model;
  EXPECT_LT(norm(model.reconstruct()) / std::sqrt(27000.0), 0.2);
}

TYPED_TEST(TuckerCompletion, FillsInAnExactModel) {
  const auto data = samples::simulate(7, Shape{12, 10, 11}, 2, 0, 0.3);
  auto options = this->options_of({2, 2, 2});
  options.ridge = options.core_ridge = 1e-9;
  options.control.max_iterations = 300;
  options.control.tolerance = 1e-9;
  EXPECT_LT(samples::test_rmse(complete(data.train, options).model, data), 2e-3);
}

TYPED_TEST(TuckerCompletion, SpectralStartComesToTheSame) {
  const auto data = samples::simulate(3);
  auto options = this->options_of({3, 3, 3});
  const double random = complete(data.train, options).history.back().objective;
  options.start = Start::spectral;
  EXPECT_NEAR(complete(data.train, options).history.back().objective / random, 1, 0.01);
}

// The same data in another unit: the same model in that unit.
TYPED_TEST(TuckerCompletion, DoesNotDependOnTheUnit) {
  const auto data = samples::simulate(4);
  auto options = this->options_of({3, 3, 3});
  options.control.max_iterations = 10;
  SparseTensor stretched = data.train;
  for (float& value : stretched.values()) value *= 1024;
  const auto plain = complete(data.train, options).model.predict(data.test.cells());
  const auto other = complete(stretched, options).model.predict(data.test.cells());
  for (std::size_t entry = 0; entry < plain.size(); ++entry)
    EXPECT_NEAR(other[entry], 1024 * plain[entry], 1e-6);
}

TYPED_TEST(TuckerCompletion, BiasesExplainOffsets) {
  SparseTensor observed(Shape{15, 20, 10}, Unlisted::missing), held_out = observed;
  Random random(5);
  for (std::size_t offset = 0; offset < 3000; ++offset) {
    const auto cell = samples::cell_at(observed.shape(), offset);
    const auto value =
        static_cast<float>(100 + 3 * std::sin(cell[0]) + 5 * std::cos(3 * cell[1]) + 0.1 * random.normal());
    (random.chance(0.3) ? observed : held_out).append(std::span(cell.data(), 3), value);
  }
  auto options = this->options_of({1, 1, 1});
  const auto model = complete(observed, options).model;
  const auto predicted = model.predict(held_out.cells());
  double square = 0;
  for (std::size_t entry = 0; entry < predicted.size(); ++entry)
    square += std::pow(predicted[entry] - held_out.values()[entry], 2);
  EXPECT_LT(std::sqrt(square / static_cast<double>(predicted.size())), 0.3);
}

TYPED_TEST(TuckerCompletion, KeepsTheBestModelOnValidationData) {
  const auto data = samples::simulate(6, Shape{20, 20, 20}, 3, 3);
  auto options = this->options_of({8, 8, 8});  // far too many: the fit gets worse on other cells
  options.ridge = options.core_ridge = 1e-6;
  options.validation = &data.test;
  options.patience = 3;
  options.control.tolerance = -1;
  const auto fit = complete(data.train, options);
  EXPECT_TRUE(fit.converged);
  double least = std::numeric_limits<double>::infinity();
  for (const Iteration& now : fit.history) least = std::min(least, now.validation_rmse);
  EXPECT_EQ(fit.history[fit.history.size() - 4].validation_rmse, least);
  const auto predicted = fit.model.predict(data.test.cells());
  double square = 0;
  for (std::size_t entry = 0; entry < predicted.size(); ++entry)
    square += std::pow(predicted[entry] - data.test.values()[entry], 2);
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(predicted.size())), least, 1e-9);
}

// Large enough for several strata and chunks.
TYPED_TEST(TuckerCompletion, DoesNotDependOnThreads) {
  const int before = threads();
  const SparseTensor observed = samples::sparse(Shape{3, 250, 300}, 0.5, 1, Unlisted::missing);
  auto options = this->options_of({2, 3, 2});
  options.control.max_iterations = 2;
  set_threads(1);
  const auto expected = complete(observed, options).model;
  for (int count : {2, 3}) {
    set_threads(count);
    const auto model = complete(observed, options).model;
    EXPECT_EQ(model.core, expected.core);
    EXPECT_EQ(model.factors, expected.factors);
    EXPECT_EQ(model.biases.global, expected.biases.global);
  }
  set_threads(before);
}

TYPED_TEST(TuckerCompletion, SeedDecidesTheResult) {
  const auto data = samples::simulate(8);
  auto options = this->options_of({3, 3, 3});
  options.control.max_iterations = 2;
  const auto one = complete(data.train, options).model, same = complete(data.train, options).model;
  options.control.seed = 1;
  const auto other = complete(data.train, options).model;
  EXPECT_EQ(one.core, same.core);
  EXPECT_EQ(one.factors, same.factors);
  EXPECT_FALSE(one.core == other.core);
}

TYPED_TEST(TuckerCompletion, PositionsWithoutCellsGetTheRest) {
  SparseTensor observed(Shape{4, 4, 4}, Unlisted::missing);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) observed.append(std::vector<Index>{i, j, 1}, static_cast<float>(i + j));
  const auto model = complete(observed, this->options_of({2, 2, 2})).model;
  EXPECT_EQ(model.factors[0].row(3).norm(), 0);
  EXPECT_NEAR(model.at(std::vector<Index>{3, 3, 3}), model.biases.global, 1e-9);
}

TYPED_TEST(TuckerCompletion, WorksForEveryOrder) {
  for (int order = 2; order <= 8; ++order) {
    const Shape shape(std::vector<std::uint64_t>(order, 3));
    const SparseTensor observed = samples::sparse(shape, 0.9, 2, Unlisted::missing);
    auto options = this->options_of(std::vector<int>(order, 2));
    options.control.max_iterations = 3;
    const auto fit = complete(observed, options);
    check(fit.model);
    EXPECT_TRUE(std::isfinite(fit.history.back().objective)) << order;
  }
}

TYPED_TEST(TuckerCompletion, ConstantValuesAreAllLevel) {
  SparseTensor observed(Shape{3, 3}, Unlisted::missing);
  for (Index i = 0; i < 3; ++i) observed.append(std::vector<Index>{i, i}, 4);
  const auto model = complete(observed, this->options_of({1, 1})).model;
  EXPECT_NEAR(model.at(std::vector<Index>{0, 2}), 4, 0.05);
}

TYPED_TEST(TuckerCompletion, RefusesBadRequests) {
  const SparseTensor observed = samples::sparse(Shape{3, 4, 5}, 0.9, 1, Unlisted::missing);
  const auto message = [&](const SparseTensor& tensor, auto change) -> std::string {
    auto options = this->options_of({2, 2, 2});
    change(options);
    try {
      complete(tensor, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto nothing = [](auto&) {};
  EXPECT_EQ(message(observed,
                    [](auto& o) {
                      o.ranks = {2, 2};
                    }),
            "ranks: 2 given for a 3x4x5 tensor; give one per mode");
  EXPECT_EQ(message(observed,
                    [](auto& o) {
                      o.ranks = {2, 0, 2};
                    }),
            "ranks: 0 is too small; give 1 or more for every mode");
  EXPECT_EQ(message(observed, [](auto& o) { o.ridge = -1; }), "ridge: -1 is negative; give 0 or more");
  EXPECT_EQ(message(observed, [](auto& o) { o.core_ridge = -1; }),
            "core ridge: -1 is negative; give 0 or more");
  EXPECT_EQ(message(observed, [](auto& o) { o.scale = -1; }),
            "scale: -1 is negative; give a size, or 0 to have it chosen");
  EXPECT_EQ(message(SparseTensor(Shape{3, 4, 5}, Unlisted::missing), nothing),
            "completion: no cell is observed");
  EXPECT_EQ(message(SparseTensor(Shape{3, 4, 5}, Unlisted::zero), nothing),
            "completion: the cells that are not listed are zeros, so none is missing; use hooi, or read the "
            "data with missing semantics");
  SparseTensor broken = observed;
  broken.values()[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(message(broken, nothing), "completion: an observed value is not finite");
  const SparseTensor larger = samples::sparse(Shape{3, 4, 6}, 0.9, 1, Unlisted::missing);
  EXPECT_EQ(message(observed, [&](auto& o) { o.validation = &larger; }),
            "completion: the validation data are 3x4x6, which the data's 3x4x5 does not cover");
  const SparseTensor empty(Shape{3, 4, 5}, Unlisted::missing);
  EXPECT_EQ(message(observed, [&](auto& o) { o.validation = &empty; }),
            "completion: the validation data hold no cell");
}

TEST(TuckerCompletionSgd, RefusesBadSteps) {
  const SparseTensor observed = samples::sparse(Shape{3, 4, 5}, 0.9, 1, Unlisted::missing);
  TuckerCompletionSgdOptions options;
  options.ranks = {2, 2, 2};
  options.step = 0;
  EXPECT_THROW(complete_tucker_sgd(observed, options), UsageError);
  options.step = 0.1;
  options.decay = -1;
  EXPECT_THROW(complete_tucker_sgd(observed, options), UsageError);
}

RC_GTEST_PROP(TuckerCompletionAls, NeverRaisesTheObjective, ()) {
  const Shape shape = samples::any_shape(4, 6);
  SparseTensor observed = samples::sparse(shape, 0.7, samples::any_seed(), Unlisted::missing);
  RC_PRE(observed.size() > 0u);
  TuckerCompletionAlsOptions options;
  for (int mode = 0; mode < shape.order(); ++mode) options.ranks.push_back(*rc::gen::inRange(1, 4));
  options.ridge = *rc::gen::element(1e-4, 0.02, 0.3);
  options.core_ridge = *rc::gen::element(1e-4, 0.02, 0.3);
  options.biases = *rc::gen::arbitrary<bool>();
  options.per_cell = *rc::gen::arbitrary<bool>();
  options.control.tolerance = -1;
  options.control.max_iterations = 8;
  const auto fit = complete_tucker_als(observed, options);
  check(fit.model);
  for (std::size_t i = 1; i < fit.history.size(); ++i)
    RC_ASSERT(fit.history[i].objective <= fit.history[i - 1].objective * (1 + 1e-9) + 1e-9);
}

// A core beyond the size of the direct solution: conjugate gradients, which must lower the objective as well.
TEST(TuckerCompletionAls, LargeCoresAreFoundByGradients) {
  const SparseTensor observed = samples::sparse(Shape{30, 30, 30}, 0.5, 3, Unlisted::missing);
  TuckerCompletionAlsOptions options;
  options.ranks = {11, 11, 11};
  options.ridge = 0.02;
  options.control.max_iterations = 3;
  options.control.tolerance = -1;
  const auto large = complete_tucker_als(observed, options);
  for (std::size_t i = 1; i < large.history.size(); ++i)
    EXPECT_LE(large.history[i].objective, large.history[i - 1].objective);
  options.ranks = {10, 10, 10};
  EXPECT_LT(large.history.back().objective,
            1.05 * complete_tucker_als(observed, options).history.back().objective);
}

}  // namespace
}  // namespace tulle
