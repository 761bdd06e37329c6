// The result of inference on a coupled model: a distribution of its factors, by moments or by samples.
#pragma once

#include <tulle/model/coupled.hpp>

#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Interval {
  double low, high;
};

// Draws from independent distributions to compute an interval, unless more are asked for.
inline constexpr int kIntervalDraws = 400;

struct CoupledPosterior {
  Coupled mean;  // of every factor
  // Independent Gamma distributions, from variational inference: their shapes, one per element of each
  // factor. Empty if there are samples.
  std::vector<std::vector<double>> shapes;
  std::vector<Coupled> samples;  // from a sampler

  bool is_point() const { return shapes.empty() && samples.empty(); }

  // Posterior means of cells. With samples, the average of their predictions (Ermis 2020, 3.13); with
  // independent distributions, the prediction of the means.
  std::vector<double> predict(int product, const Cells& cells) const;

  // For every cell, the interval that contains its model value with the given probability, with equal tails.
  // From the samples, or from `draws` draws. A UsageError for a point.
  std::vector<Interval> intervals(int product, const Cells& cells, double probability, int draws,
                                  std::uint64_t seed) const;

  // Draws factors from the distributions.
  Coupled draw(std::uint64_t seed, int number) const;
};

}  // namespace tulle

#pragma GCC visibility pop
