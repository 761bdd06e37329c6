#include <tulle/solve/offsets.hpp>

namespace tulle {
namespace {

struct Groups {
  Vector counts, means;
  double within = 0;  // sum of squares about the means
};

Groups group(std::span<const Index> positions, Index size, const std::vector<double>& values) {
  Groups groups{Vector::Zero(size), Vector::Zero(size)};
  for (std::size_t entry = 0; entry < values.size(); ++entry) {
    groups.counts[positions[entry]] += 1;
    groups.means[positions[entry]] += values[entry];
  }
  groups.means.array() /= groups.counts.array().max(1);
  for (std::size_t entry = 0; entry < values.size(); ++entry) {
    const double deviation = values[entry] - groups.means[positions[entry]];
    groups.within += deviation * deviation;
  }
  return groups;
}

// Variance within groups over variance between their true means; the latter is the variance of the observed
// means beyond their own noise.
double variance_ratio(const Groups& groups) {
  constexpr double kLargest = 1e6;  // for offsets that are practically zero
  const double count = groups.counts.sum();
  const double held = static_cast<double>((groups.counts.array() > 0).count());
  if (held < 2 || count <= held) return 1;  // a single group, or no repeats: not estimable
  const double within = groups.within / (count - held);
  const double between = (groups.counts.array() * groups.means.array().square()).sum();
  const double variance = (between - (held - 1) * within) / (count - groups.counts.squaredNorm() / count);
  return variance * kLargest > within ? std::max(within, 1e-12) / variance : kLargest;
}

}  // namespace

OffsetPrior estimate_offsets(const SparseTensor& observed, double scale) {
  std::vector<double> values(observed.values().begin(), observed.values().end());
  for (double& value : values) value /= scale;
  return estimate_offsets(observed.cells(), std::move(values));
}

// Fits each mode in turn to the residuals of the others, for a few rounds.
OffsetPrior estimate_offsets(const Cells& cells, std::vector<double> values) {
  constexpr int kRounds = 3;
  std::vector<double> rest = std::move(values);
  OffsetPrior prior;
  prior.ridge.resize(cells.order());
  for (Index size : cells.shape().dimensions()) prior.start.offsets.push_back(Vector::Zero(size));

  for (int round = 0; round < kRounds; ++round)
    for (int mode = 0; mode < cells.order(); ++mode) {
      const auto positions = cells.column(mode);
      Vector& offsets = prior.start.offsets[mode];
      for (std::size_t entry = 0; entry < rest.size(); ++entry) rest[entry] += offsets[positions[entry]];
      const double mean = std::accumulate(rest.begin(), rest.end(), 0.0) / static_cast<double>(rest.size());
      prior.start.global += mean;
      for (double& value : rest) value -= mean;
      const Groups groups = group(positions, cells.shape()[mode], rest);
      prior.ridge[mode] = variance_ratio(groups);
      offsets = groups.means.array() * groups.counts.array() / (groups.counts.array() + prior.ridge[mode]);
      for (std::size_t entry = 0; entry < rest.size(); ++entry) rest[entry] -= offsets[positions[entry]];
    }
  return prior;
}

}  // namespace tulle
