#include "release/pilot_statistics.hpp"

#include "method/private_request.hpp"

#include <tulle/base/random.hpp>
#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace tulle {
namespace {

PrivateRequest request_for(SparseTensor data, double epsilon) {
  return testing::private_request(std::move(data), {.budget = {epsilon, 0}, .range = {0, 2}});
}

// Linear along mode 2, random along mode 1, constant along mode 3.
SparseTensor pilot_sample() {
  Random random(1);
  DenseTensor tensor(Shape{40, 20, 10});
  for (Index i = 0; i < 40; ++i) {
    const double level = random.uniform();
    for (Index j = 0; j < 20; ++j)
      for (Index k = 0; k < 10; ++k) tensor[std::array{i, j, k}] = level + j / 20.0;
  }
  return observe(tensor, 0.7, 2);
}

TEST(EntryPairs, HaveEveryEntryOnceAtMost) {
  SparseTensor data = pilot_sample();
  for (std::size_t entry = 0; entry < 100; ++entry) {  // listed twice
    const auto cell = data.cells().cell(entry);
    data.append(std::span(cell).first(3), 1);
  }
  const EntryPairs pairs(data.cells(), 3);
  for (int mode = 0; mode < 4; ++mode) {
    const EntryPairs::List& list = mode < 3 ? pairs.along[static_cast<std::size_t>(mode)] : pairs.apart;
    std::set<std::size_t> seen;
    EXPECT_GT(list.size(), 1000u);
    for (const auto& [one, other] : list) {
      EXPECT_TRUE(seen.insert(one).second && seen.insert(other).second);
      if (mode == 3) continue;
      auto cell = data.cells().cell(one);
      ++cell[static_cast<std::size_t>(mode)];
      EXPECT_EQ(data.cells().cell(other), cell);
    }
  }
}

TEST(Overview, TellsTheMeanAndHowUnlikeNeighboursAre) {
  const SparseTensor data = pilot_sample();
  const PrivateRequest request = request_for(data, 1e6);
  Curator curator = Curator::with_budget({1e6, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  const PilotStatistics overview = PilotRelease(request)(curator);
  double mean = 0;
  for (float value : data.values()) mean += value / static_cast<double>(data.size());
  EXPECT_NEAR(overview.mean, mean, 1e-4);
  EXPECT_NEAR(overview.along[1], 0.05 * 0.05 / 2 / 4, 1e-6) << "a step of 0.05, in a range of 2";
  EXPECT_NEAR(overview.along[2], 0, 1e-6);
  EXPECT_GT(overview.along[0], 0.3 * overview.apart);
  EXPECT_NEAR(curator.guarantee().spent->epsilon, *PilotRelease(request).stage().epsilon, 1);
}

// Moving one entry moves no number of the release by more than the sensitivity allows.
TEST(Overview, MovesByNoMoreThanItsSensitivity) {
  const SparseTensor data = pilot_sample();
  const auto numbers = [](const SparseTensor& of) {
    const PrivateRequest request = request_for(of, 1e6);
    Curator curator = Curator::without_privacy();
    const PilotStatistics overview = PilotRelease(request)(curator);
    std::vector<double> result = overview.along;
    const EntryPairs pairs(of.cells(), 0);
    for (std::size_t mode = 0; mode < 3; ++mode)
      result[mode] *= 32 * static_cast<double>(pairs.along[mode].size());
    result.push_back(overview.apart * 32 * static_cast<double>(pairs.apart.size()));
    result.push_back(overview.mean / 2 * static_cast<double>(of.size()));
    return result;
  };
  const std::vector<double> before = numbers(data);
  for (std::size_t entry : {0u, 17u, 4000u})
    for (float value : {0.0F, 2.0F}) {
      SparseTensor neighbour = data;
      neighbour.values()[entry] = value;
      const std::vector<double> after = numbers(neighbour);
      for (std::size_t i = 0; i < after.size(); ++i) EXPECT_LE(std::abs(after[i] - before[i]), 1 + 1e-6) << i;
    }
}

}  // namespace
}  // namespace tulle
