#include "clipped_steps.hpp"

#include <tulle/base/sum_grid.hpp>
#include <tulle/tensor/most_cells.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Adaptive clipping: the weight of the count of unclipped gradients relative to a gradient, and how fast the
// clipping length follows it (0.2 is Andrew et al.'s choice).
constexpr double kCountWeight = 0.2;
constexpr double kAdaptation = 0.2;

}  // namespace

AdditiveNoise ClippedSteps::noise(double clip, std::size_t numbers) const {
  const bool counts = clip_quantile_.has_value();
  // 2^-20 covers the rounding of w C / 2 in with_count.
  const double length = counts ? clip * std::sqrt(1 + kCountWeight * kCountWeight / 4) * (1 + 0x1p-20) : clip;
  return AdditiveNoise::gaussian(Sensitivity::l2(length, unit_, relation_), noise_,
                                 numbers + (counts ? 1 : 0));
}

// A whole number of times w C / 2, which is rounded to 22 bits first, so that the product is exact.
std::vector<double> ClippedSteps::with_count(ClippedSum sum, double clip) const {
  const double each = kCountWeight * clip / 2;
  const SumGrid grid(each, static_cast<double>(kMostCells) / 4);
  if (clip_quantile_)
    sum.numbers.push_back(grid.round(each) *
                          (static_cast<double>(sum.whole) - static_cast<double>(sum.clipped)));
  return std::move(sum.numbers);
}

void ClippedSteps::adapt_clip(const Noisy& released, double clip, double units) {
  if (!clip_quantile_) return;
  const double excess = released.values.back() / (kCountWeight * clip);  // half of whole less clipped
  const double whole = 0.5 + excess / (rate() * units);
  clip_factor_ *= std::exp(-kAdaptation * (std::clamp(whole, 0.0, 1.0) - *clip_quantile_));
}

}  // namespace tulle
