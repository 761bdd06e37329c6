// Counts drawn from a model of counts, with two-sided geometric noise.
#pragma once

#include "estimate/count_model.hpp"

#include <tulle/base/gamma.hpp>
#include <tulle/base/random.hpp>

#include <cmath>
#include <vector>

namespace tulle::testing {

struct Made {
  SparseTensor noisy;
  std::vector<double> rates;  // of the cells, without noise
};

inline double draw_poisson(Random& random, double rate) {
  int count = 0;
  for (double product = random.uniform(), least = std::exp(-rate); product > least;
       product *= random.uniform())
    ++count;
  return count;
}

// (1 - alpha) / (1 + alpha) alpha^|k| is the difference of two geometric numbers.
inline double draw_two_sided(Random& random, double alpha) {
  if (alpha == 0) return 0;
  const auto geometric = [&] { return std::floor(std::log(1 - random.uniform()) / std::log(alpha)); };
  const double up = geometric();
  return up - geometric();
}

// Factors from the prior, counts from the factors, noise on the counts.
inline Made make_counts(const Shape& shape, const CountPrior& prior, int rank, double alpha,
                        std::uint64_t seed) {
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

}  // namespace tulle::testing
