#include "mean_release.hpp"

#include "whole_steps.hpp"

#include <algorithm>

namespace tulle {
namespace {

AdditiveNoise noise_on_mean(const PrivateRequest& request, double epsilon) {
  constexpr double kRounding = 1 + 1e-6;  // more than the one division does to any n that fits in memory
  const double entries = static_cast<double>(request.data.positions().size());
  const auto moves = Sensitivity::one_coordinate(kRounding / entries, request.terms.unit, request.relation);
  return AdditiveNoise::laplace(moves, epsilon, 1);
}

// Where the mean lies in the range, from 0 to 1.
double mean_position(const SparseTensor& observed, const Range& range) {
  std::int64_t sum = 0;
  for (double value : observed.values())
    sum += in_steps(std::clamp((value - range.low) / range.width(), 0.0, 1.0));
  return from_steps(sum) / static_cast<double>(observed.size());
}

}  // namespace

MeanRelease::MeanRelease(const PrivateRequest& request, double epsilon)
    : noise_(noise_on_mean(request, epsilon)) {}

Noisy MeanRelease::release(const PrivateRequest& request, Curator& curator) const {
  const Range& range = request.terms.range;
  const Noisy position = curator.release(
      request.data.observed(), noise_, "their mean",
      [&](const SparseTensor& observed) { return std::vector{mean_position(observed, range)}; });
  return {{range.low + position.values[0] * range.width()}, position.deviation * range.width()};
}

}  // namespace tulle
