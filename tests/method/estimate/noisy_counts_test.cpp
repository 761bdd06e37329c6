#include "estimate/noisy_counts.hpp"

#include <tulle/base/gamma.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle {
namespace {

struct Made {
  SparseTensor noisy;
  std::vector<double> rates;  // of the cells, without noise
};

double draw_poisson(Random& random, double rate) {
  int count = 0;
  for (double product = random.uniform(), least = std::exp(-rate); product > least;
       product *= random.uniform())
    ++count;
  return count;
}

// (1 - alpha) / (1 + alpha) alpha^|k| is the difference of two geometric numbers.
double draw_two_sided(Random& random, double alpha) {
  if (alpha == 0) return 0;
  const auto geometric = [&] { return std::floor(std::log(1 - random.uniform()) / std::log(alpha)); };
  const double up = geometric();
  return up - geometric();
}

// Factors from the prior, counts from the factors, noise on the counts.
Made make(const Shape& shape, const CountPrior& prior, int rank, double alpha, std::uint64_t seed) {
  Random random(seed);
  const ModelLayout layout = ModelLayout::cp(shape, rank);
  std::vector<double> factors(layout.size());
  for (double& value : factors) value = draw_gamma(random, prior.shape) / prior.rate;
  Made made{{shape, Unlisted::missing}, {}};
  for (std::size_t offset = 0; offset < shape.cells(); ++offset) {
    std::vector<Index> cell;
    for (int mode = 0; mode < shape.order(); ++mode)
      cell.push_back(static_cast<Index>(offset / shape.stride(mode) % shape[mode]));
    double rate = 0;
    for (int k = 0; k < rank; ++k) {
      double product = 1;
      for (int mode = 0; mode < shape.order(); ++mode)
        product *=
            factors[layout.row(mode, cell[static_cast<std::size_t>(mode)]) + static_cast<std::size_t>(k)];
      rate += product;
    }
    made.rates.push_back(rate);
    made.noisy.append(cell, static_cast<float>(draw_poisson(random, rate) + draw_two_sided(random, alpha)));
  }
  return made;
}

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
          coverage(make(shape, prior, 2, alpha, seed), ModelLayout::cp(shape, 2), prior, alpha);
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
