#include "residual_window.hpp"

#include <tulle/base/unit_blocks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tulle {
namespace {

constexpr int kBins = kDistanceBins;
constexpr double kAccurateCount = 0.004;  // standard deviation of a count, relative to the number of entries
constexpr double kSignificant = 3;        // standard deviations; smaller counts are taken for 0
constexpr double kTail = 0.02, kUnsure = 0.05;  // of the entries, outside of a window; that noise may hide
constexpr double kFiner = 0.917;                // from one width that is tried to the next
constexpr double kLeastSlope = 0.92;            // see below

double distance_of(std::size_t bin) {  // from the prediction, of a typical entry in the bin
  return std::pow(2, -0.5 * (static_cast<double>(bin) + 0.5));
}

std::size_t bin_of(double distance) {  // relative to the range
  if (!(distance > 0)) return kBins - 1;
  return static_cast<std::size_t>(std::clamp(-2 * std::log2(distance), 0.0, kBins - 1.0));
}

// Whether a window of the entries in later bins surely takes away more of the squared distances than
// best_half_width() allows: heavy tails.
bool cuts_off_much(const Noisy& counts, std::size_t bins, double half) {
  double lost = 0, variance = 0, squares = 0;
  for (std::size_t bin = 0; bin < counts.values.size(); ++bin) {
    const double distance = distance_of(bin), cut = distance * (distance - half);
    squares += counts.values[bin] * distance * distance;
    if (bin >= bins) continue;
    lost += counts.values[bin] * cut;
    variance += cut * cut * counts.deviation * counts.deviation;
  }
  return lost - std::sqrt(variance) > (1 - kLeastSlope) * std::max(squares, 0.0);
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
// prediction that it started from, so such c are not considered.
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

TailWindow tail_window(const Noisy& counts, double entries) {
  TailWindow window;
  double squares = 0, variance = 0;
  for (std::size_t bin = 0; bin < counts.values.size(); ++bin) {
    const double square = std::pow(distance_of(bin), 2);
    squares += counts.values[bin] * square;
    variance += std::pow(counts.deviation * square, 2);
  }
  window.mean_square = squares / entries;
  window.stddev = std::sqrt(variance) / entries;
  double beyond = 0;
  for (std::size_t bin = 0; bin < counts.values.size(); ++bin) {
    beyond += counts.values[bin];
    const double edge = std::pow(2, -0.5 * (static_cast<double>(bin) + 1));
    if (edge > 0.5) continue;
    const double stddev = counts.deviation * std::sqrt(static_cast<double>(bin) + 1);
    if (beyond + stddev > kTail * entries + std::min(stddev, kUnsure * entries)) break;
    if (cuts_off_much(counts, bin + 1, edge)) break;
    window.half = edge;
  }
  return window;
}

Noisy ResidualWindow::distances(const PrivateRequest& request, Curator& curator,
                                std::span<const std::uint64_t> entries, const Prediction& prediction) const {
  const double width = request.data.range().width();
  const auto histogram = [&](const SparseTensor& observed, std::span<const std::uint64_t> of) {
    std::vector<double> counts(kBins);
    for (std::uint64_t entry : of)
      ++counts[bin_of(std::abs(observed.values()[entry] - prediction(entry)) / width)];
    return counts;
  };
  return curator.release(
      request.data.observed(), noise_, "how far entries are from their prediction",
      [&](const SparseTensor& observed) {
        return add_up_blocks(entries.size(), request.fit.block_size, [&](std::size_t begin, std::size_t end) {
          return histogram(observed, entries.subspan(begin, end - begin));
        });
      });
}

double ResidualWindow::choose(const PrivateRequest& request, Curator& curator,
                              std::span<const std::uint64_t> entries, const Prediction& prediction,
                              double deviation) const {
  Noisy counts = distances(request, curator, entries, prediction);
  for (double& count : counts.values)
    if (count < kSignificant * counts.deviation) count = 0;
  return request.data.range().width() * best_half_width(counts.values, deviation);
}

}  // namespace tulle
