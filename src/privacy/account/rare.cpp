#include "rare.hpp"

#include "constants.hpp"

#include <algorithm>
#include <cmath>

namespace tulle::account {
namespace {

constexpr double kMostPoints = 1 << 16, kPointsPerScale = 2048;
// Errors of the masses and of the sums, relative.
constexpr double kError = 2 * kMassError;
constexpr double kMostExponent = 600;

double width_for(const Pair& pair, Direction direction, double scale) {
  double smallest = kInfinity, largest = -kInfinity;
  for (const LossPoint& point : loss_points(pair, direction, 0).points) {
    if (point.log_p < -100) continue;
    smallest = std::min(smallest, point.loss);
    largest = std::max(largest, point.loss);
  }
  return std::max(scale / kPointsPerScale, (largest - smallest) / kMostPoints);
}

bool by_loss(const LossTail::Point& a, const LossTail::Point& b) {
  return a.loss < b.loss;
}

}  // namespace

LossTail::LossTail(std::vector<Point> points)
    : points_(std::move(points)), numbers_(points_.size() + 1, 0.0), weights_(points_.size() + 1, 0.0) {
  std::sort(points_.begin(), points_.end(), by_loss);
  for (std::size_t i = points_.size(); i-- > 0;) {
    numbers_[i] = numbers_[i + 1] + points_[i].number;
    weights_[i] = weights_[i + 1] + points_[i].number * std::exp(-points_[i].loss);
  }
}

std::size_t LossTail::first_above(double place) const {
  return static_cast<std::size_t>(std::upper_bound(points_.begin(), points_.end(), Point{place, 0}, by_loss) -
                                  points_.begin());
}

double LossTail::number_above(double cut) const {
  return numbers_[first_above(cut)] * (1 + kError);
}

double LossTail::excess(double epsilon, double cut) const {
  const std::size_t i = first_above(std::max(epsilon, cut));
  if (epsilon > kMostExponent) return numbers_[i] * (1 + kError);  // e^epsilon would overflow
  return std::max(0.0, numbers_[i] - std::exp(epsilon) * weights_[i]) + kError * numbers_[i];
}

LossTail LossTail::pairs_above(double cut) const {
  constexpr std::size_t kMost = 96;
  const std::size_t first = first_above(cut), size = points_.size() - first;
  const std::size_t group = std::max<std::size_t>(1, (size + kMost - 1) / kMost);
  std::vector<Point> coarse, pairs;
  for (std::size_t i = first; i < points_.size(); i += group) {
    const std::size_t end = std::min(points_.size(), i + group);
    coarse.push_back({points_[end - 1].loss, numbers_[i] - numbers_[end] + kError * numbers_[i]});
  }
  for (const Point& a : coarse)
    for (const Point& b : coarse) pairs.push_back({a.loss + b.loss, 0.5 * a.number * b.number});
  return LossTail(std::move(pairs));
}

RareLosses::RareLosses(const std::vector<Release>& releases, Direction direction, double scale, double tail)
    : all_({}) {
  std::vector<LossTail::Point> all;
  for (const Release& release : releases) {
    const double width = width_for(release.pair, direction, scale);
    GridLoss grid = discretise(release.pair, direction, width, tail);
    Part part{{}, std::move(grid.mass), release.count};
    for (std::size_t i = 0; i < grid.index.size(); ++i) {
      part.loss.push_back(static_cast<double>(grid.index[i]) * width);
      all.push_back({part.loss[i], release.count * part.mass[i]});
    }
    infinite_ += release.count * grid.infinite;
    parts_.push_back(std::move(part));
  }
  all_ = LossTail(std::move(all));
  for (double tilt = 1 / scale; tilt < 1e6 / scale; tilt *= 2) tilts_.push_back(tilt);
  for (double share : {0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.2, 2.0}) {
    const double place = share * scale;
    cuts_.push_back({place, all_.number_above(place), all_.pairs_above(place), {}});
  }
  for (double tilt : tilts_) add_moments(tilt);
}

// Handles all cuts in one walk up the losses.
void RareLosses::add_moments(double tilt) {
  std::vector<double> log(cuts_.size(), 0.0), least(cuts_.size(), kInfinity);
  for (const Part& part : parts_) {
    double moment = 0;
    std::size_t i = 0;
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      for (; i < part.loss.size() && part.loss[i] <= cuts_[c].at; ++i)
        moment += part.mass[i] * std::exp(tilt * part.loss[i]);
      log[c] += part.count * (std::log(moment) + kError);
      least[c] = std::min(least[c], moment);
    }
  }
  for (std::size_t c = 0; c < cuts_.size(); ++c) {
    // For N = 1 and N = 2, the probability of a large loss replaces one or two factors.
    const double replaced = cuts_[c].expected / least[c];
    cuts_[c].log_moment.push_back(log[c] + std::log1p(replaced + replaced * replaced / 2));
  }
}

double RareLosses::usual_above(const Cut& cut, double s) const {
  double least = 1;
  for (std::size_t i = 0; i < tilts_.size(); ++i)
    least = std::min(least, std::exp(cut.log_moment[i] - tilts_[i] * s));
  return least;
}

double RareLosses::delta_upper(double epsilon) const {
  double best = 1;
  for (const Cut& cut : cuts_) {
    const double more = infinite_ + cut.expected * cut.expected * cut.expected / 6;
    for (double share = 0.5; share > 1e-5; share /= 2) {
      const double lost = more + usual_above(cut, share * epsilon), left = (1 - share) * epsilon;
      if (lost >= best) break;  // and more so for a smaller s
      best = std::min(best, lost + all_.excess(left, cut.at) + cut.pairs.excess(left, 0));
    }
  }
  return best;
}

}  // namespace tulle::account
