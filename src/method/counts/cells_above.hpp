// Counts of cells from noisy values that reached a threshold, among many that did not.
#pragma once

#include "deconvolution.hpp"

#include <cstdint>

namespace tulle {

struct ThresholdedCells {
  double cells;     // of the table, released or not
  double variance;  // of discrete Laplace noise on each
  std::int64_t threshold;
};

// How often which count occurs is estimated by EM from all cells: what is known of one that is not released
// is that it lies below the threshold. `events`: about how many there are.
PosteriorCounts posterior_above(std::span<const double> noisy, const ThresholdedCells& table, double events);

}  // namespace tulle
