#include "grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tulle {
namespace {

constexpr std::uint32_t kNoBin = std::numeric_limits<std::uint32_t>::max();
constexpr double kRatioOfBins = 1.2, kRatioOfManyAxes = 2;  // of roughness
constexpr double kLeastGridScale = 0.004;                   // standard deviation of effects
constexpr int kGridScales = 8;
constexpr double kIndependent[] = {0, 0.1, 0.5};  // part of the variance
constexpr int kPowers[] = {1, 2};                 // of a random walk, and of one whose steps are smooth too
constexpr Index kLongest = 64;                    // in positions; lengths are 1, 2, 4 .. of them
constexpr int kRounds = 3;

double length_square(std::size_t step) {
  return step == 0 ? 0 : std::pow(4.0, static_cast<double>(step - 1));
}

}  // namespace

// One prior: a length for every axis.
struct OrderedGrid::Alternative {
  std::vector<std::size_t> lengths;
  int power;
  std::vector<double> shape;  // variance of the waves of each bin, with mean 1 over effects
};

OrderedGrid::OrderedGrid(std::vector<ModeAxes> modes, bool without_margins) : modes_(std::move(modes)) {
  std::size_t axes = 0;
  for (const ModeAxes& mode : modes_) axes += mode.axes.size();
  const double ratio = axes > 2 ? kRatioOfManyAxes : kRatioOfBins;
  for (const ModeAxes& mode : modes_) {
    std::vector<std::size_t>& own = axes_of_mode_.emplace_back();
    for (const OrderedAxis& axis : mode.axes) {
      own.push_back(axes_.size());
      axes_.push_back(&axis);
      size_ *= axis.size;
      AxisBins& bins = bins_.emplace_back();
      bins.of.resize(axis.size);
      bins.roughness = {0};
      if (!axis.has_order()) continue;
      std::vector<double> count{1};
      for (Index wave = 1; wave < axis.size; ++wave) {
        const double roughness = axis.roughness[wave];
        if (bins.roughness.size() == 1 || roughness > ratio * bins.roughness.back() / count.back()) {
          bins.roughness.push_back(0);
          count.push_back(0);
        }
        bins.roughness.back() += roughness;
        ++count.back();
        bins.of[wave] = bins.roughness.size() - 1;
      }
      for (std::size_t bin = 0; bin < count.size(); ++bin) bins.roughness[bin] /= count[bin];
    }
  }
  for (const AxisBins& bins : bins_) all_bins_ *= bins.roughness.size();
  bin_of_wave_.resize(size_);
  std::vector<std::size_t> wave(axes_.size());
  for (std::size_t number = 0; number < size_; ++number) {
    std::size_t left = number, bin = 0;
    for (std::size_t axis = axes_.size(); axis-- > 0; left /= axes_[axis]->size)
      wave[axis] = left % axes_[axis]->size;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      bin = bin * bins_[axis].roughness.size() + bins_[axis].of[wave[axis]];
    const auto constant = [&](const std::vector<std::size_t>& own) {
      return std::ranges::all_of(
          own, [&](std::size_t axis) { return axes_[axis]->has_order() && wave[axis] == 0; });
    };
    const bool none = without_margins ? std::ranges::any_of(axes_of_mode_, constant)
                                      : std::ranges::all_of(axes_of_mode_, constant);
    bin_of_wave_[number] = none ? kNoBin : static_cast<std::uint32_t>(bin);
  }
}

std::size_t OrderedGrid::place(std::span<const Index> positions) const {
  std::size_t place = 0;
  for (std::size_t mode = 0; mode < modes_.size(); ++mode)
    place = place * modes_[mode].size() + modes_[mode].place[positions[mode]];
  return place;
}

// Into waves along every axis with an order, or back.
void OrderedGrid::transform(Vector& grid, bool back) const {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Index inner = grid.size(), outer = 1;
  for (const OrderedAxis* axis : axes_) {
    const auto size = static_cast<Eigen::Index>(axis->size);
    inner /= size;
    for (Eigen::Index block = 0; axis->has_order() && block < outer; ++block) {
      Eigen::Map<Rows> lines(grid.data() + block * size * inner, size, inner);
      const Rows turned = back ? Rows(axis->waves * lines) : Rows(axis->waves.transpose() * lines);
      lines = turned;
    }
    outer *= size;
  }
}

// Lengths to choose from: none, and those that are shorter than the axis.
std::size_t OrderedGrid::lengths(std::size_t axis) const {
  std::size_t count = 1;
  if (!axes_[axis]->has_order()) return count;
  const Index longest = axes_.size() > 2 ? kLongest / 4 : kLongest;
  for (Index length = 1; length <= longest && length < axes_[axis]->size; length *= 2) ++count;
  return count;
}

template <class Visit>
void OrderedGrid::for_each_wave(Visit&& visit) const {
  for (std::size_t wave = 0; wave < size_; ++wave)
    if (bin_of_wave_[wave] != kNoBin) visit(static_cast<Eigen::Index>(wave), bin_of_wave_[wave]);
}

SmoothedGrid OrderedGrid::posterior(Vector noisy, double variance, double most) const {
  transform(noisy, false);
  std::vector<Bin> bins(all_bins_);
  double waves = 0;
  for_each_wave([&](Eigen::Index wave, std::uint32_t bin) {
    ++bins[bin].waves;
    bins[bin].square += noisy[wave] * noisy[wave];
    ++waves;
  });
  // Of every alternative, for every scale: log evidence, gain per bin.
  std::vector<double> scales;
  for (int scale = 0; scale < kGridScales; ++scale)
    scales.push_back(kLeastGridScale *
                     std::pow(std::max(most, 0.01) / kLeastGridScale, scale / (kGridScales - 1.0)));
  const auto log_evidence = [&](const std::vector<double>& shape, double part, double square) {
    double sum = 0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      if (bins[bin].waves == 0) continue;
      const double total = square * (part + (1 - part) * shape[bin]) + variance;
      sum -= 0.5 * (bins[bin].waves * std::log(total) + bins[bin].square / total);
    }
    return sum;
  };
  std::vector<Alternative> all;
  std::vector<std::size_t> step(axes_.size());
  for (bool more = true; more;) {
    const bool none = std::ranges::all_of(step, [](std::size_t length) { return length == 0; });
    for (const int power : kPowers) {
      if (none && power != kPowers[0]) continue;
      Alternative one{step, power, std::vector<double>(all_bins_)};
      double mean = 0;
      for (std::size_t bin = 0; bin < all_bins_; ++bin) {
        double shape = 1;
        for (std::size_t axis = axes_.size(), left = bin; axis-- > 0;) {
          const std::vector<double>& roughness = bins_[axis].roughness;
          shape /= std::pow(1 + length_square(step[axis]) * roughness[left % roughness.size()], power);
          left /= roughness.size();
        }
        one.shape[bin] = shape;
        mean += bins[bin].waves * shape / waves;
      }
      for (double& shape : one.shape) shape /= mean;
      all.push_back(std::move(one));
    }
    more = false;
    for (std::size_t axis = 0; axis < step.size() && !more; ++axis) {
      more = ++step[axis] < lengths(axis);
      if (!more) step[axis] = 0;
    }
  }
  struct Weighed {
    std::size_t alternative;
    double part, square, log_weight;
  };
  std::vector<Weighed> weighed;
  const double scale_prior = -std::log(static_cast<double>(scales.size()));
  double best = -INFINITY;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (const double part : kIndependent) {
      if (a == 0 && part != kIndependent[0]) continue;
      const double others = static_cast<double>((all.size() - 1) * std::size(kIndependent));
      for (const double scale : scales) {
        const double square = scale * scale;
        weighed.push_back(
            {a, part, square,
             log_evidence(all[a].shape, part, square) + scale_prior - (a == 0 ? 0 : std::log(others))});
        best = std::max(best, weighed.back().log_weight);
      }
    }
  SmoothedGrid result{.along = std::vector<double>(axes_.size())};
  double sum = 0;
  for (const auto& [a, part, square, log_weight] : weighed) {
    const double weight = std::exp(log_weight - best);
    sum += weight;
    if (a == 0 || weight < 1e-6) continue;
    result.smooth += weight;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      if (all[a].lengths[axis] > 0) result.along[axis] += weight;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      const double own = square * (part + (1 - part) * all[a].shape[bin]);
      bins[bin].gain += weight * own / (own + variance);
    }
  }
  Vector found = Vector::Zero(noisy.size());
  if (result.smooth > 0)
    for_each_wave([&](Eigen::Index wave, std::uint32_t bin) {
      found[wave] = noisy[wave] * bins[bin].gain / result.smooth;
    });
  result.smooth /= sum;
  for (double& along : result.along) along /= sum;
  transform(found, true);
  result.effects.assign(found.begin(), found.end());
  return result;
}

// Noise of one variance everywhere is diagonal in waves. Where an effect is seen with more, or not at all,
// only a part of its distance to what is estimated so far counts, as in a step of expectation maximization.
SmoothedGrid OrderedGrid::smooth(std::span<const std::size_t> places, std::span<const SeenEffect> seen,
                                 std::span<const double> independent, double most) const {
  SmoothedGrid found{.effects = std::vector<double>(size_)};
  for (std::size_t i = 0; i < seen.size(); ++i) found.effects[places[i]] = independent[i];
  std::vector<double> variances(seen.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < seen.size(); ++i)
      variances[i] = seen[i].variance_about(found.effects[places[i]]);
    std::vector<double> sorted = variances;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    Vector noisy = Eigen::Map<const Vector>(found.effects.data(), static_cast<Eigen::Index>(size_));
    double total = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const double weight = std::min(1.0, *middle / variances[i]);
      double& value = noisy[static_cast<Eigen::Index>(places[i])];
      value += weight * (seen[i].value - value);
      total += weight * weight * variances[i];
    }
    found = posterior(std::move(noisy), std::max(total / static_cast<double>(size_), 1e-300), most);
    for (double& effect : found.effects) effect *= found.smooth;
    for (std::size_t i = 0; i < seen.size(); ++i)
      found.effects[places[i]] += (1 - found.smooth) * independent[i];
  }
  return found;
}

}  // namespace tulle
