#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/method/private_completion.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

PlainRequest request_on(std::variant<DenseTensor, SparseTensor> data) {
  PlainRequest request{.data = std::move(data)};
  request.fit.seed = 1;
  return request;
}

Synthetic plain_sample() {
  return generate_cp(Shape{8, 7, 6}, 2, 1, 100);
}

PlainRequest request_with_missing_cells() {
  return request_on(observe(plain_sample().noisy, 0.7, 1));
}

std::string message_of(const PlainRequest& request) {
  try {
    complete_plainly(request);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Methods, AreFoundByName) {
  EXPECT_EQ(find_method("plain").name, "plain");
  EXPECT_THROW(find_method("magic"), UsageError);
}

TEST(Plain, PicksASolverForEveryModel) {
  for (const auto& [model, solver] : {std::pair(ModelKind::cp, "als"), std::pair(ModelKind::tucker, "als"),
                                      std::pair(ModelKind::tubal, "admm")}) {
    auto request = request_with_missing_cells();
    request.fit.model = model;
    request.fit.ranks = {2};
    const Completion fit = complete_plainly(request);
    EXPECT_EQ(fit.solver, solver);
    EXPECT_EQ(kind(fit.model), model);
    EXPECT_EQ(shape(fit.model), (Shape{8, 7, 6}));
    EXPECT_FALSE(fit.history.empty());
  }
}

TEST(Plain, DecomposesWhatHasNoMissingCells) {
  for (const auto& [model, solver] : {std::pair(ModelKind::cp, "als"), std::pair(ModelKind::tucker, "hooi"),
                                      std::pair(ModelKind::tubal, "svd")}) {
    auto request = request_on(plain_sample().truth);
    request.fit.model = model;
    request.fit.ranks = {3};
    EXPECT_EQ(complete_plainly(request).solver, solver);
    request.fit.biases = true;
    EXPECT_NE(message_of(request).find("missing cells"), std::string::npos);
  }
}

TEST(Plain, OneRankServesAllModesOfTucker) {
  auto request = request_with_missing_cells();
  request.fit.model = ModelKind::tucker;
  request.fit.ranks = {2};
  EXPECT_EQ(std::get<Tucker>(complete_plainly(request).model).core.shape(), (Shape{2, 2, 2}));
  request.fit.ranks = {2, 3};
  EXPECT_NE(message_of(request).find("2 ranks for 3 modes"), std::string::npos);
}

TEST(Plain, RefusesWhatItDoesNotHave) {
  auto request = request_with_missing_cells();
  request.fit.solver = Solver::hooi;
  EXPECT_NE(message_of(request).find("als, sgd"), std::string::npos);
  request.fit.model = ModelKind::topics;
  EXPECT_NE(message_of(request).find("cp, tucker, tubal"), std::string::npos);
}

TEST(Plain, ChoosesTheRankWhereNoneIsGiven) {
  const Synthetic data = generate_cp(Shape{20, 18, 16}, 2, 1, 100);
  const Completion chosen = complete_best(request_on(observe(data.noisy, 0.5, 1)));
  ASSERT_EQ(chosen.remarks.size(), 1u);
  EXPECT_NE(chosen.remarks[0].find("Chose rank"), std::string::npos);
  EXPECT_GE(std::get<Cp>(chosen.model).rank(), 2);
  const DenseTensor got = reconstruct(chosen.model);
  double squares = 0, truth = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    squares += std::pow(got.values()[i] - data.truth.values()[i], 2);
    truth += std::pow(data.truth.values()[i], 2);
  }
  EXPECT_LT(squares, 0.01 * truth);
  EXPECT_EQ(chosen.guarantee.status, Guarantee::Status::none);
}

// Cubes of the cells of a low-rank tensor: few of them have most of the sum of squares. 5 %, since the choice
// is made on a part of the cells.
TEST(Plain, ChoosesAsWellAsTheBestGivenRankOnHeavyTails) {
  Synthetic data = generate_cp(Shape{40, 30, 20}, 5, 3, 30);
  for (double& value : data.noisy.values()) value = std::pow(4 * value, 3);
  const SparseTensor train = observe(data.noisy, 0.5, 1);
  const auto bounds = std::ranges::minmax(train.values());
  const auto error = [&](const Model& model) {
    const DenseTensor got = reconstruct(model);
    double squares = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      squares +=
          std::pow(std::clamp<double>(got.values()[i], bounds.min, bounds.max) - data.noisy.values()[i], 2);
    return std::sqrt(squares);
  };
  double best = std::numeric_limits<double>::infinity();
  for (int rank = 1; rank <= 10; ++rank)
    for (bool biases : {false, true}) {
      auto request = request_on(train);
      request.fit.ranks = {rank};
      request.fit.biases = biases;
      best = std::min(best, error(complete_plainly(request).model));
    }
  EXPECT_LT(error(complete_best(request_on(train)).model), 1.05 * best);
}

TEST(Plain, ChoosesTheMeanWhereThereIsNothingElse) {
  SparseTensor cells(Shape{6, 5, 4}, Unlisted::missing);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 5; ++j) cells.append(std::array<Index, 3>{i, j, (i + j) % 4}, 2.5F);
  const Model model = complete_best(request_on(std::move(cells))).model;
  EXPECT_EQ(std::get<Cp>(model).rank(), 0);
  const DenseTensor mean = reconstruct(model);
  for (double value : mean.values()) EXPECT_DOUBLE_EQ(value, 2.5);
}

TEST(Plain, AGivenRankIsKept) {
  auto request = request_with_missing_cells();
  request.fit.ranks = {3};
  EXPECT_EQ(std::get<Cp>(complete_best(request).model).rank(), 3);
}

TEST(Plain, ObserverStopsTheFit) {
  auto request = request_with_missing_cells();
  request.fit.tolerance = 0;
  request.fit.observer = [](const Iteration& step) {
    EXPECT_GT(step.limit, 0);
    return step.number < 3;
  };
  EXPECT_EQ(complete_plainly(request).history.size(), 3u);
}

}  // namespace
}  // namespace tulle
