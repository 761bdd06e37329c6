#include "completion/entry/staged_release.hpp"

#include "estimate/released_entries.hpp"
#include "method/private_request.hpp"

#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using testing::private_request;

AdditiveNoise laplace(const Allowance& allowance, const Bounds& bounds, std::uint64_t numbers) {
  return AdditiveNoise::laplace(
      Sensitivity::one_coordinate(bounds.high - bounds.low, Unit::entry, Relation::replace),
      allowance.epsilon, numbers);
}

// The mean of the cells as a model of rank 0.
Model mean_model(const SparseTensor& cells) {
  double mean = 0;
  for (float value : cells.values()) mean += value / static_cast<double>(cells.size());
  Cp model{.weights = Vector(0), .factors = {}, .biases = {}};
  for (Index size : cells.shape().dimensions()) {
    model.factors.push_back(Matrix(size, 0));
    model.biases.offsets.push_back(Vector::Zero(size));
  }
  model.biases.global = mean;
  return model;
}

// Values within 0.01 of 0.3, in a range of 0 to 1.
SparseTensor near_constant() {
  DenseTensor tensor(Shape{60, 50, 10});
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.values()[i] = 0.3 + 0.01 * std::sin(static_cast<double>(i));
  return observe(tensor, 0.9, 1);
}

struct Staged {
  SparseTensor data = near_constant();
  PrivateRequest request;
  Curator curator;
  Measurement measured;

  Staged(const Budget& budget, const std::vector<double>* known = nullptr)
      : request(private_request(data, {.budget = budget, .range = {0, 1}})),
        curator(Curator::with_budget(budget, Unit::entry, Relation::replace, RandomBits::seeded(1))),
        measured{
            .shape = data.shape(),
            .positions = data.cells(),
            .low = 0,
            .high = 1,
            .releases = release_in_stages(request, budget.epsilon, curator, laplace, mean_model, known)} {}
};

TEST(StagedRelease, NeedsEntriesOrEpsilon) {
  EXPECT_TRUE(enough_for_stages(100'000, 1));
  EXPECT_FALSE(enough_for_stages(100, 1));
  EXPECT_TRUE(enough_for_stages(100, 1e4));
  const Staged run({0.01, 0});
  EXPECT_TRUE(run.measured.releases.empty());
  EXPECT_TRUE(run.curator.guarantee().releases.empty());
}

// The mean, and then four portions, each after its window; all entries together cost what one of them does.
TEST(StagedRelease, SpendsTheBudgetAndNoMore) {
  const Staged run({3, 0});
  ASSERT_FALSE(run.measured.releases.empty());
  const Guarantee guarantee = run.curator.guarantee();
  EXPECT_NEAR(guarantee.used.epsilon, 3, 1e-9);
  std::uint64_t released = 0;
  for (const Record& record : guarantee.releases)
    if (record.what.find("portion") != std::string::npos) released += record.numbers;
  EXPECT_EQ(released, run.data.size());
  EXPECT_NE(remark_on_stages(run.measured).find("in 4 portions"), std::string::npos);
  check(run.measured);
}

// Windows around a mean that predicts well are narrow, so the noise on the cells is far below that for the
// whole range, whose standard deviation at epsilon 3 is sqrt(2) / 3.
TEST(StagedRelease, NarrowWindowsHaveLittleNoise) {
  const Staged run({3, 0});
  ASSERT_FALSE(run.measured.releases.empty());
  const SparseTensor cells = entries_worth_fitting(run.measured);
  EXPECT_GT(cells.size(), run.data.size() / 4);
  double square = 0;
  for (float value : cells.values()) square += std::pow(value - 0.3, 2);
  EXPECT_LT(std::sqrt(square / static_cast<double>(cells.size())), 0.2 * std::sqrt(2.0) / 3);
}

// What was released before about each entry replaces the mean. The caller has planned its cost then, so that
// only the windows and the portions are released here.
TEST(StagedRelease, StartsFromKnownValues) {
  const SparseTensor data = near_constant();
  const std::vector<double> known(data.size(), 0.3);
  const Staged run({3, 0}, &known);
  ASSERT_FALSE(run.measured.releases.empty());
  for (const Record& record : run.curator.guarantee().releases) EXPECT_NE(record.what, "their mean");
}

}  // namespace
}  // namespace tulle
