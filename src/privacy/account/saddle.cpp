#include "saddle.hpp"

#include "normal.hpp"
#include "search.hpp"

#include <Eigen/Core>

#include <cmath>
#include <limits>
#include <numeric>

namespace tulle::account {
namespace {

constexpr double kMostTheta = 1e12;

// Joins neighbouring points at their largest loss, until at most `most` are left.
LossPoints thinned(LossPoints loss, std::size_t most) {
  const std::size_t size = loss.points.size();
  if (size <= most) return loss;
  const std::size_t group = (size + most - 1) / most;
  LossPoints result;
  result.infinite = loss.infinite;
  for (std::size_t from = 0; from < size; from += group) {
    const auto begin = loss.points.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = loss.points.begin() + static_cast<std::ptrdiff_t>(std::min(size, from + group));
    const double most_log =
        std::max_element(begin, end, [](auto& a, auto& b) { return a.log_p < b.log_p; })->log_p;
    const double most_loss =
        std::max_element(begin, end, [](auto& a, auto& b) { return a.loss < b.loss; })->loss;
    double mass = 0;
    for (auto point = begin; point != end; ++point) mass += std::exp(point->log_p - most_log);
    result.points.push_back({most_loss, most_log + std::log(mass)});
  }
  return result;
}

}  // namespace

void SumOfLosses::add(const Pair& pair, Direction direction, double count, double least) {
  const LossPoints points = thinned(loss_points(pair, direction, 0), 2048);
  Part part{{}, {}, count};
  double infinite = points.infinite + mass_beyond_points(pair),
         smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
  for (const LossPoint& point : points.points) {
    if (point.log_p < std::log(least)) {
      infinite += std::exp(point.log_p);
      continue;
    }
    part.loss.push_back(point.loss);
    part.log_p.push_back(point.log_p);
    smallest = std::min(smallest, point.loss);
    largest = std::max(largest, point.loss);
  }
  parts_.push_back(std::move(part));
  largest_ += count * largest;
  smallest_ += count * smallest;
  spread_ = std::max(spread_, largest - smallest);
  infinite_ = -std::expm1(std::log1p(-infinite_) + count * std::log1p(-std::min(infinite, 1.0)));
  count_ += count;
}

std::size_t SumOfLosses::points() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += part.loss.size();
  return sum;
}

Cumulants SumOfLosses::at(double theta) const {
  Cumulants sum{0, 0, 0};
  for (const Part& part : parts_) {
    const auto size = static_cast<Eigen::Index>(part.loss.size());
    const Eigen::Map<const Eigen::ArrayXd> loss(part.loss.data(), size), log_p(part.log_p.data(), size);
    const Eigen::ArrayXd exponent = log_p + theta * loss;
    const double largest = exponent.maxCoeff();
    const Eigen::ArrayXd weight = (exponent - largest).exp();
    const double total = weight.sum(), mean = (weight * loss).sum() / total;
    const double variance = (weight * (loss - mean).square()).sum() / total;
    sum.log += part.count * (largest + std::log(total));
    sum.mean += part.count * mean;
    sum.variance += part.count * variance;
  }
  return sum;
}

// The error of a grid is the mean of (its local width)^2 under the tilted distribution: the stride doubles
// where the mass beyond has fallen by a factor of 4.
std::vector<Stride> SumOfLosses::strides(std::size_t part, double theta, double width) const {
  const std::vector<double>&loss = parts_[part].loss, &log_p = parts_[part].log_p;
  std::vector<std::size_t> order(loss.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return loss[a] < loss[b]; });

  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i : order) largest = std::max(largest, log_p[i] + theta * loss[i]);
  std::vector<double> below;  // tilted mass up to and including a point
  double total = 0;
  for (std::size_t i : order) below.push_back(total += std::exp(log_p[i] + theta * loss[i] - largest));

  constexpr double kShare = 0.004;
  // If a single large loss decides, its own place counts once and not `count` times.
  const double longest = std::min({0.5 / width, 0.5 / (theta * width), 8 * std::sqrt(parts_[part].count)});
  const int most = static_cast<int>(std::floor(std::log2(std::max(1.0, longest))));
  std::vector<Stride> result;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    // Between two points, the mass out to the nearer end.
    const double above = total - (i == 0 ? 0 : below[i - 1]),
                 outside = std::min(below[i + 1], std::max(above, 1e-30 * total));
    const int level = static_cast<int>(
        std::clamp(std::floor(0.5 * std::log2(kShare * total / outside)), 0.0, double(most)));
    const std::int64_t stride = std::int64_t{1} << level;
    if (result.empty() || result.back().stride != stride) result.push_back({loss[order[i]], stride});
  }
  return result;
}

double SumOfLosses::log_delta(double theta, const Cumulants& tilted) {
  const double deviation = std::sqrt(tilted.variance);
  const double fall = mills(theta * deviation) - mills((theta + 1) * deviation);
  return tilted.log - theta * tilted.mean - kLogSqrt2Pi + std::log(std::max(fall, 1e-300));
}

double SumOfLosses::delta_of_largest(double epsilon) const {
  double sum = 0;
  for (const Part& part : parts_)
    for (std::size_t i = 0; i < part.loss.size(); ++i)
      if (part.loss[i] > epsilon)
        sum -= part.count * std::exp(part.log_p[i]) * std::expm1(epsilon - part.loss[i]);
  return std::min(1.0, sum);
}

double SumOfLosses::least_theta() const {
  return std::min(1e-3 / std::sqrt(std::max(at(0).variance, 1e-300)), kMostTheta / 2);
}

double SumOfLosses::theta_for_epsilon(double epsilon) const {
  const double least = least_theta();
  if (at(least).mean >= epsilon) return least;
  return std::exp(last_place(
      std::log(least), std::log(kMostTheta), 0,
      [&](double log_theta) { return at(std::exp(log_theta)).mean < epsilon; }, 40));
}

double SumOfLosses::theta_for_delta(double delta) const {
  const double least = least_theta(), wanted = std::log(delta);
  const auto above = [&](double theta) { return log_delta(theta, at(theta)) > wanted; };
  if (!above(least)) return least;
  return std::exp(last_place(
      std::log(least), std::log(kMostTheta), 0, [&](double log_theta) { return above(std::exp(log_theta)); },
      40));
}

SumOfLosses::Tail SumOfLosses::upper_tail(double theta, double place) const {
  if (place >= largest_) return {-std::numeric_limits<double>::infinity(), 0};
  return tail(theta, place);
}

SumOfLosses::Tail SumOfLosses::lower_tail(double theta, double place) const {
  if (place <= smallest_) return {-std::numeric_limits<double>::infinity(), 0};
  return tail(theta, place);
}

// Newton's method from the normal approximation, within bounds; returns the best of the points it visits.
SumOfLosses::Tail SumOfLosses::tail(double theta, double place) const {
  const Cumulants here = at(theta);
  double shift = (place - here.mean) / here.variance;
  Tail best{0, 0};
  for (int step = 0; step < 6; ++step) {
    const Cumulants there = at(theta + shift);
    const double log = there.log - here.log - shift * place;
    if (log < best.log) best = {log, shift};
    const double next = shift + (place - there.mean) / std::max(there.variance, 1e-300);
    if (std::abs(next - shift) < 0.02 * std::abs(shift)) break;
    shift = shift > 0 ? std::clamp(next, shift / 4, shift * 4) : std::clamp(next, shift * 4, shift / 4);
  }
  return best;
}

}  // namespace tulle::account
