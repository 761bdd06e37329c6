#include "estimate/noisy_counts.hpp"

#include "made_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle {
namespace {

using testing::Made;
using testing::make_counts;

double coverage(const Made& made, const ModelLayout& layout, const CountPrior& prior, double alpha) {
  constexpr int kSweeps = 300, kBurn = 100;
  NoisyCounts chain(made.noisy, alpha, layout, prior, 7);
  std::vector<std::vector<double>> rates(made.rates.size());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    chain.sweep();
    if (sweep < kBurn) continue;
    for (std::size_t cell = 0; cell < rates.size(); ++cell) rates[cell].push_back(chain.rate_of(cell));
  }
  double covered = 0;
  for (std::size_t cell = 0; cell < rates.size(); ++cell) {
    std::ranges::sort(rates[cell]);
    const std::size_t tail = rates[cell].size() / 20;
    covered += rates[cell][tail] <= made.rates[cell] &&
               made.rates[cell] <= rates[cell][rates[cell].size() - 1 - tail];
  }
  return covered / static_cast<double>(rates.size());
}

// Intervals of 90 % at epsilon 1, for data that are drawn from the model, cover what they were drawn from. Of
// independent data sets, so the standard error of the mean coverage is known: 0.05 is 5 of them at least, and
// a sampler that is right leaves 85 to 95 % with a probability below 1e-6.
TEST(NoisyCounts, IntervalsCoverTheTruth) {
  constexpr int kSets = 40;
  const CountPrior prior{2, 1.2};
  const double alpha = std::exp(-1);  // counts that change by 1
  for (const Shape& shape : {Shape{12, 10}, Shape{6, 5, 4}}) {
    double mean = 0, squares = 0;
    for (std::uint64_t seed = 1; seed <= kSets; ++seed) {
      const double covered =
          coverage(make_counts(shape, prior, 2, alpha, seed), ModelLayout::cp(shape, 2), prior, alpha);
      mean += covered / kSets;
      squares += covered * covered / kSets;
    }
    const double error = std::sqrt((squares - mean * mean) / (kSets - 1));
    EXPECT_LT(error, 0.01) << shape.text();
    EXPECT_GT(mean, 0.85) << shape.text();
    EXPECT_LT(mean, 0.95) << shape.text();
  }
}

// One cell of rank 1 with fixed exposure: without noise the posterior of its rate is that of conjugate Gamma
// numbers; a noisy count of 30 is believed less, and drawn towards the prior.
TEST(NoisyCounts, NoiseDrawsTowardsThePrior) {
  SparseTensor one(Shape{1, 1}, Unlisted::missing);
  one.append(std::array<Index, 2>{0, 0}, 30.0F);
  const ModelLayout layout = ModelLayout::cp(Shape{1, 1}, 1);
  const auto mean_rate = [&](double alpha) {
    NoisyCounts chain(one, alpha, layout, {2, 1}, 3);
    double sum = 0;
    for (int sweep = 0; sweep < 4000; ++sweep) {
      chain.sweep();
      sum += chain.rate_of(0) / 4000;
    }
    return sum;
  };
  const double exact = mean_rate(0), some = mean_rate(0.5), much = mean_rate(0.95);
  EXPECT_GT(exact, 20);
  EXPECT_GT(exact, some);
  EXPECT_GT(some, 2 * much);
}

// A count below zero can only have been noise.
TEST(NoisyCounts, NegativeCountsAreNoise) {
  SparseTensor one(Shape{1, 1}, Unlisted::missing);
  one.append(std::array<Index, 2>{0, 0}, -5.0F);
  NoisyCounts chain(one, 0.5, ModelLayout::cp(Shape{1, 1}, 1), {1, 1}, 3);
  double sum = 0;
  for (int sweep = 0; sweep < 1000; ++sweep) {
    chain.sweep();
    sum += chain.rate_of(0) / 1000;
  }
  EXPECT_LT(sum, 2);
}

}  // namespace
}  // namespace tulle
