#include "mean_release.hpp"

#include <tulle/base/sum_grid.hpp>

#include <algorithm>

namespace tulle {
namespace {

// Places in the range, from 0 to 1, add up on the grid: one that changes changes their sum by its own change,
// in widths, and two steps. Dividing by n rounds twice by 2^-53 of a mean of at most 1.
AdditiveNoise noise_on_mean(const PrivateRequest& request, double epsilon) {
  const double entries = static_cast<double>(request.data.positions().size());
  const double change = request.data.largest_change() / request.data.range().width();
  const double most = (change + 2 * SumGrid(1, entries).step()) / entries + 0x1p-51;
  return AdditiveNoise::laplace(Sensitivity::one_coordinate(most, request.terms.unit, request.relation),
                                epsilon, 1);
}

// Where the mean lies in the range, from 0 to 1.
double mean_position(const SparseTensor& observed, const Range& range) {
  const auto entries = static_cast<double>(observed.size());
  const SumGrid grid(1, entries);
  double sum = 0;
  for (double value : observed.values())
    sum += grid.round(std::clamp((value - range.low) / range.width(), 0.0, 1.0));
  return sum / entries;
}

}  // namespace

MeanRelease::MeanRelease(const PrivateRequest& request, double epsilon)
    : epsilon_(epsilon), noise_(noise_on_mean(request, epsilon)) {}

Noisy MeanRelease::release(const PrivateRequest& request, Curator& curator) const {
  const Range& range = request.data.range();
  const Noisy position = curator.release(
      request.data.observed(), noise_, "their mean",
      [&](const SparseTensor& observed) { return std::vector{mean_position(observed, range)}; });
  return {{range.low + position.values[0] * range.width()}, position.deviation * range.width()};
}

}  // namespace tulle
