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

// The mean of the released entries, for all of them.
std::vector<double> mean_of_portions(std::size_t entries, std::span<const Release* const> portions) {
  double sum = 0, count = 0;
  for (const Release* portion : portions)
    for (const double value : portion->values) sum += value, ++count;
  return std::vector(entries, count > 0 ? sum / count : 0.5);
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

  explicit Staged(const Budget& budget)
      : request(private_request(data, {.budget = budget, .range = {0, 1}})),
        curator(Curator::with_budget(budget, Unit::entry, Relation::replace, RandomBits::seeded(1))),
        measured{.shape = data.shape(),
                 .positions = data.cells(),
                 .low = 0,
                 .high = 1,
                 .releases = release_in_stages(request, curator, laplace,
                                               [&](std::span<const Release* const> portions) {
                                                 return mean_of_portions(data.size(), portions);
                                               })} {}
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

// As parts of a pure plan: every entry once, for the epsilon of the entries and of the windows together.
TEST(StagedRelease, OfPortionsCostsTheirEpsilonAndTheirWindows) {
  for (const double epsilon : {0.001, 0.1, 1.0}) {
    const SparseTensor data = near_constant();
    const PrivateRequest request = private_request(data, {.budget = {epsilon, 0}, .range = {0, 1}});
    Curator curator =
        Curator::with_budget({epsilon, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
    const double left = curator.plan({{.loss = Loss::pure, .in_parts = true}}).front();
    Portioning how = portioning(data.size(), left);
    how.epsilon = left - how.cost();
    const Releases releases = release_portions(
        request, curator, how, 0.5, laplace,
        [&](std::span<const Release* const> portions) { return mean_of_portions(data.size(), portions); });
    EXPECT_EQ(releases.size(), how.portions.size());
    std::size_t entries = 0;
    for (const Release& release : releases) {
      entries += release.values.size();
      EXPECT_LE(release.window, 0.5);
    }
    EXPECT_EQ(entries, data.size());
    EXPECT_NEAR(curator.guarantee().used.epsilon, epsilon, 1e-9 * epsilon);
  }
}

// Few entries or little epsilon: no window, one portion. The more there is, the more portions.
TEST(StagedRelease, DividesIntoMorePortionsWhereWindowsCostLittle) {
  EXPECT_EQ(portioning(1000, 0.1).portions.size(), 1u);
  EXPECT_EQ(portioning(1000, 0.1).cost(), 0);
  EXPECT_EQ(portioning(1000, 10).portions.size(), 2u);
  EXPECT_EQ(portioning(100'000, 10).portions.size(), 4u);
}

}  // namespace
}  // namespace tulle
