#include "completion/fit_checks.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace tulle {
namespace {

const Shape kShape{5, 4, 3};

std::shared_ptr<const Model> cp_of_ones(std::initializer_list<int> sizes) {
  Cp model{Vector::Ones(2), {}, {}};
  for (int size : sizes) model.factors.push_back(Matrix::Ones(size, 2));
  return std::make_shared<const Model>(model);
}

TEST(FitChecks, RanksFitTheModel) {
  EXPECT_NO_THROW(check_fit({.ranks = {}}, kShape));
  EXPECT_NO_THROW(check_fit({.ranks = {2}}, kShape));
  EXPECT_THROW(check_fit({.ranks = {2, 2, 2}}, kShape), UsageError);
  EXPECT_THROW(check_fit({.ranks = {-1}}, kShape), UsageError);
  EXPECT_NO_THROW(check_fit({.model = ModelKind::tucker, .ranks = {2, 2, 2}}, kShape));
  EXPECT_THROW(check_fit({.model = ModelKind::tucker, .ranks = {2, 2}}, kShape), UsageError);
}

TEST(FitChecks, NumbersMakeAFit) {
  EXPECT_THROW(check_fit({.ridge = -1}, kShape), UsageError);
  EXPECT_THROW(check_fit({.ridge = std::numeric_limits<double>::quiet_NaN()}, kShape), UsageError);
  EXPECT_THROW(check_fit({.max_iterations = 0}, kShape), UsageError);
  EXPECT_THROW(check_fit({.tolerance = -1}, kShape), UsageError);
  EXPECT_NO_THROW(check_fit({.ridge = 0, .max_iterations = 1, .tolerance = 0}, kShape));
}

TEST(FitChecks, AWarmStartHasTheSameKindShapeAndRank) {
  EXPECT_NO_THROW(check_fit({.from = cp_of_ones({5, 4, 3}), .held = {1}}, kShape));
  EXPECT_THROW(check_fit({.held = {1}}, kShape), UsageError);
  EXPECT_THROW(check_fit({.ranks = {2}, .from = cp_of_ones({5, 4, 3})}, kShape), UsageError);
  EXPECT_THROW(check_fit({.from = cp_of_ones({5, 4, 2})}, kShape), UsageError);
  EXPECT_THROW(check_fit({.from = cp_of_ones({5, 4, 3}), .held = {3}}, kShape), UsageError);
  EXPECT_THROW(check_fit({.model = ModelKind::tucker, .from = cp_of_ones({5, 4, 3})}, kShape), UsageError);
}

TEST(FitChecks, SolversAreThoseOfTheDataAndTheModel) {
  EXPECT_NO_THROW(check_solver({.solver = Solver::sgd}, true));
  EXPECT_THROW(check_solver({.solver = Solver::sgd}, false), UsageError);
  EXPECT_NO_THROW(check_solver({.model = ModelKind::tucker, .solver = Solver::hooi}, false));
  EXPECT_THROW(check_solver({.model = ModelKind::tubal, .solver = Solver::als}, true), UsageError);
  EXPECT_THROW(check_solver({.biases = true}, false), UsageError);
  EXPECT_THROW(check_solver({.solver = Solver::sgd, .from = cp_of_ones({5, 4, 3})}, true), UsageError);
}

TEST(FitChecks, OptionsThatASolverDoesNotReadAreRefused) {
  const FitOptions ridge{.ridge = 1}, start{.start = Start::random}, steps{.max_iterations = 3};
  const auto takes = [](FitOptions fit, ModelKind model, bool missing_cells) {
    fit.model = model;
    try {
      check_solver(fit, missing_cells);
      return true;
    } catch (const UsageError&) {
      return false;
    }
  };
  for (const FitOptions& fit : {ridge, start, steps}) {
    EXPECT_TRUE(takes(fit, ModelKind::cp, true));
    EXPECT_TRUE(takes(fit, ModelKind::cp, false));
    EXPECT_FALSE(takes(fit, ModelKind::tubal, false)) << "one decomposition";
  }
  EXPECT_FALSE(takes(ridge, ModelKind::tucker, false));
  EXPECT_TRUE(takes(start, ModelKind::tucker, false));
  EXPECT_FALSE(takes(ridge, ModelKind::tubal, true));
  EXPECT_FALSE(takes(start, ModelKind::tubal, true));
  EXPECT_TRUE(takes(steps, ModelKind::tubal, true));
}

TEST(FitChecks, ZeroIsARankOfTubalCompletionAlone) {
  EXPECT_THROW(check_plain_fit({.ranks = {0}}, true), UsageError);
  EXPECT_NO_THROW(check_plain_fit({.model = ModelKind::tubal, .ranks = {0}}, true));
  EXPECT_THROW(check_plain_fit({.model = ModelKind::tubal, .ranks = {0}}, false), UsageError);
}

}  // namespace
}  // namespace tulle
