#include "residual_window.hpp"

#include <tulle/base/unit_blocks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tulle {
namespace {

constexpr int kBins = 21;                 // down to a thousandth of the range; the last bin has all below
constexpr double kAccurateCount = 0.004;  // standard deviation of a count, relative to the number of entries
constexpr double kSignificant = 3;        // standard deviations; smaller counts are taken for 0
constexpr double kFiner = 0.917;          // from one width that is tried to the next
constexpr double kLeastSlope = 0.92;      // see below

double distance_of(std::size_t bin) {  // from the prediction, of a typical entry in the bin
  return std::pow(2, -0.5 * (static_cast<double>(bin) + 0.5));
}

std::size_t bin_of(double distance) {  // relative to the range
  if (!(distance > 0)) return kBins - 1;
  return static_cast<std::size_t>(std::clamp(-2 * std::log2(distance), 0.0, kBins - 1.0));
}

// Replacing an entry takes 1 from a bin and adds 1 to another.
AdditiveNoise histogram_noise(const PrivateRequest& request, double epsilon) {
  return AdditiveNoise::discrete_laplace(Sensitivity::l1(2, request.terms.unit, request.relation), epsilon,
                                         kBins);
}

}  // namespace

double ResidualWindow::epsilon_for(std::uint64_t entries) {
  return 2 * std::numbers::sqrt2 / (kAccurateCount * static_cast<double>(entries));
}

ResidualWindow::ResidualWindow(const PrivateRequest& request, double epsilon)
    : epsilon_(epsilon), noise_(histogram_noise(request, epsilon)) {}

// An entry is released as y = prediction + clamp(r, -c, c) + noise. Regressed on its residual r, y has the
// slope E[r clamp(r)] / E[r^2], so y / slope is an observation of variance (E[clamp(r)^2] + noise^2) /
// slope^2: the c with the least variance is taken. A slope far below 1 would bias the fit towards the
// prediction that it started from, so such c are left out.
double best_half_width(std::span<const double> counts, double deviation) {
  double total = 0, squares = 0;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    total += counts[bin];
    squares += counts[bin] * distance_of(bin) * distance_of(bin);
  }
  double best = 0.5, least = std::numeric_limits<double>::infinity();
  if (!(total > 0)) return best;
  for (double half = 0.5; half > distance_of(counts.size()); half *= kFiner) {
    double clamped = 0, along = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
      const double distance = distance_of(bin), kept = std::min(distance, half);
      clamped += counts[bin] * kept * kept;
      along += counts[bin] * kept * distance;
    }
    const double slope = along / squares;
    if (slope < kLeastSlope && half < 0.5) break;
    const double noise = 2 * half * deviation;
    const double variance = (clamped / total + noise * noise) / (slope * slope);
    if (variance >= least) continue;
    least = variance;
    best = half;
  }
  return best;
}

double ResidualWindow::choose(const PrivateRequest& request, Curator& curator,
                              std::span<const std::uint64_t> entries, const Prediction& prediction,
                              double deviation) const {
  const double width = request.data.range().width();
  const auto histogram = [&](const SparseTensor& observed, std::span<const std::uint64_t> of) {
    std::vector<double> counts(kBins);
    for (std::uint64_t entry : of)
      ++counts[bin_of(std::abs(observed.values()[entry] - prediction(entry)) / width)];
    return counts;
  };
  Noisy counts = curator.release(
      request.data.observed(), noise_, "how far entries are from their prediction",
      [&](const SparseTensor& observed) {
        return add_up_blocks(entries.size(), request.fit.block_size, [&](std::size_t begin, std::size_t end) {
          return histogram(observed, entries.subspan(begin, end - begin));
        });
      });
  for (double& count : counts.values)
    if (count < kSignificant * counts.deviation) count = 0;
  return width * best_half_width(counts.values, deviation);
}

}  // namespace tulle
