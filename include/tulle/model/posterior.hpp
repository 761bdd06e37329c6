// What inference knows about a coupled model: a distribution of its factors, by moments or by samples.
#pragma once

#include <tulle/model/coupled.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

struct Interval {
  double low, high;
};

// Draws from independent distributions that an interval is read off, unless more are asked for.
inline constexpr int kIntervalDraws = 400;

struct CoupledPosterior {
  Coupled mean;  // of every factor
  // Independent Gamma distributions, as variational inference has them: their shapes, one per element of each
  // factor. Empty where there are samples.
  std::vector<std::vector<double>> shapes;
  std::vector<Coupled> samples;  // of a sampler

  bool is_point() const { return shapes.empty() && samples.empty(); }

  // Posterior means of cells. Of samples the average of what each predicts (Ermis 2020, 3.13); of independent
  // distributions the prediction of the means.
  std::vector<double> predict(int product, const Cells& cells) const;

  // For every cell the interval that holds its model with the given probability, the same on both sides. From
  // samples, or from as many draws. A UsageError of a point.
  std::vector<Interval> intervals(int product, const Cells& cells, double probability, int draws,
                                  std::uint64_t seed) const;

  // Factors drawn from the distributions.
  Coupled draw(std::uint64_t seed, int number) const;
};

}  // namespace tulle
