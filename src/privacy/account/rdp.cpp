#include "check.hpp"
#include "constants.hpp"
#include "distance.hpp"
#include "quadrature.hpp"
#include "renyi.hpp"
#include "search.hpp"

#include <tulle/privacy/account/rdp.hpp>

#include <cmath>
#include <numbers>

namespace tulle {
namespace {

using namespace account;

// r^order - 1 - order (r - 1) for r = e^loss. Under Q it has the same mean as r^order - 1 but is never
// negative, so small divergences keep full precision.
double convex_part(double loss, double order) {
  if (std::abs(loss) * (order + 1) > 0.05) return std::expm1(order * loss) - order * std::expm1(loss);
  double sum = 0, power = 1, order_power = 1;
  for (int k = 1; k <= 9; ++k) {
    power *= loss / k;
    order_power *= order;
    sum += power * (order_power - order);
  }
  return sum;
}

// ln of the mean under Q of (P/Q)^order.
double log_moment(const LossPoints& loss, double order) {
  if (loss.infinite > 0) return kInfinity;
  double largest = 0;
  for (const LossPoint& point : loss.points)
    largest = std::max(largest, point.log_p + (order - 1) * point.loss);
  double sum = 0;
  if (largest < 600) {
    for (const LossPoint& point : loss.points) {
      const double log_q = point.log_p - point.loss, exponent = log_q + order * point.loss;
      // Far out, Q's weight underflows although its product with the ratio does not.
      sum += log_q > -600 && order * std::abs(point.loss) < 600
                 ? std::exp(log_q) * convex_part(point.loss, order)
                 : std::exp(exponent);
    }
    return std::log1p(sum);
  }
  for (const LossPoint& point : loss.points)
    sum += std::exp(point.log_p + (order - 1) * point.loss - largest);
  return largest + std::log(sum);
}

// Wang, Balle, Kasiviswanathan (2019), theorem 27: ln of the moment of integer order. It needs the mean of
// |P/Q - 1|^i under Q: exact for even i; the geometric mean of its even neighbours bounds it for odd i.
class WithoutReplacementMoments {
 public:
  explicit WithoutReplacementMoments(const WithoutReplacement& release)
      : noise_(release.noise), log_rate_(std::log(release.rate)) {}

  double log_moment(int order) const {
    double log_sum = 0;
    for (int i = 2; i <= order; ++i) {
      double bound = std::log(2.0) + log_power(i);
      // If P/Q is large, P/Q - 1 is no smaller.
      if (log_power(2) < 10)
        bound = std::min(bound, std::log(4.0) + (log_central(i / 2 * 2) + log_central((i + 1) / 2 * 2)) / 2);
      const double term = bound + i * log_rate_ + log_choose(order, i);
      log_sum = std::max(log_sum, term) + std::log1p(std::exp(-std::abs(log_sum - term)));
    }
    return log_sum;
  }

 private:
  double log_power(double i) const { return i * (i - 1) / (2 * noise_ * noise_); }  // mean of (P/Q)^i

  static double log_choose(double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  }

  // ln of the mean of (P/Q - 1)^i for even i, by quadrature: the alternating sum of moments would cancel.
  double log_central(int i) const {
    if (i < static_cast<int>(central_.size()) && central_[i] != 0) return central_[i];
    const LossPoints loss = loss_points(GaussianPair{noise_, 1, false}, Direction::remove, i);
    double largest = -kInfinity;
    std::vector<double> logs;
    for (const LossPoint& point : loss.points) {
      const double log_distance = point.loss > 30 ? point.loss : std::log(std::abs(std::expm1(point.loss)));
      logs.push_back(point.log_p - point.loss + i * log_distance);
      largest = std::max(largest, logs.back());
    }
    double sum = 0;
    for (double log : logs) sum += std::exp(log - largest);
    central_.resize(std::max<std::size_t>(central_.size(), i + 1));
    return central_[i] = largest + std::log(sum);
  }

  double noise_, log_rate_;
  mutable std::vector<double> central_;
};

constexpr int kMostFixedOrder = 128;

double log_moment(const WithoutReplacement& release, double order) {
  if (order > kMostFixedOrder) return kInfinity;
  const WithoutReplacementMoments moments(release);
  // The logarithm of the moment is convex in the order and 0 at order 1, so between integers the chord bounds
  // it.
  const int below = static_cast<int>(std::floor(order));
  const double part = order - below, low = below < 2 ? 0 : moments.log_moment(below);
  return part == 0 ? low : (1 - part) * low + part * moments.log_moment(below + 1);
}

// A bound without sampling also holds with it: the divergence is convex.
double divergence_unsampled(const Pair& pair, double order) {
  const auto gaussian = [&](double noise) { return order / (2 * noise * noise); };
  if (const auto* p = std::get_if<GaussianPair>(&pair)) return gaussian(p->replace ? p->noise / 2 : p->noise);
  if (const auto* p = std::get_if<WithoutReplacement>(&pair)) return gaussian(p->noise);
  if (const auto* p = std::get_if<LaplacePair>(&pair)) return 1 / p->noise;
  return kInfinity;
}

double sampled_moment(const Pair& pair, const std::optional<LossPoints>& points, Direction direction,
                      double order) {
  return points ? log_moment(*points, order) : log_moment(loss_points(pair, direction, order - 1), order);
}

// Quadrature and rounding together are below this share of the divergence.
constexpr double kError = 1e-11;

void check_order(double order) {
  if (!(order > 1) || !std::isfinite(order))
    fail_usage("an order of {}; it must be above 1 and finite", order);
}

}  // namespace

namespace account {

RenyiCurve::RenyiCurve(std::span<const Event> events, Relation relation) {
  for (const Event& event : events) {
    std::optional<Analysis> analysis = renyi_analysis(event, relation);
    if (!analysis) refuse(event, relation);
    const double count = static_cast<double>(event.count());
    distance_ += count * analysis->distance;
    Release& release = releases_.emplace_back(Release{std::move(analysis->pair), count, {}, {}});
    if (!std::holds_alternative<DiscretePair>(release.pair)) continue;
    release.removal = loss_points(release.pair, Direction::remove, 0);
    if (!symmetric(release.pair)) release.addition = loss_points(release.pair, Direction::add, 0);
  }
}

double RenyiCurve::divergence(const Release& release, double order) {
  const Pair& pair = release.pair;
  const double unsampled = divergence_unsampled(pair, order);
  if (const auto* p = std::get_if<Concentrated>(&pair)) return std::min(unsampled, p->rho * order);
  if (const auto* p = std::get_if<WithoutReplacement>(&pair))
    return std::min(unsampled, log_moment(*p, order) / (order - 1));
  if (const auto* p = std::get_if<GaussianPair>(&pair); p && p->rate == 1) return unsampled;
  double moment = sampled_moment(pair, release.removal, Direction::remove, order);
  if (!symmetric(pair))
    moment = std::max(moment, sampled_moment(pair, release.addition, Direction::add, order));
  return std::min(unsampled, moment / (order - 1));
}

double RenyiCurve::divergence(double order) const {
  const auto [place, is_new] = known_.try_emplace(order);
  if (is_new) {
    double sum = 0;
    for (const Release& release : releases_) sum += release.count * divergence(release, order);
    place->second = sum * (1 + kError);
  }
  return place->second;
}

// The least bound(divergence, order): a scan of orders 1 + e^x, then golden section around the best one.
template <class Value>
double RenyiCurve::least(const Value& bound) const {
  const auto f = [&](double x) {
    const double order = 1 + std::exp(x);
    return bound(divergence(order), order);
  };
  constexpr double kFrom = -7, kTo = 17, kStep = 0.75;
  double best = kInfinity, place = kFrom;
  for (double x = kFrom; x <= kTo; x += kStep) {
    const double value = f(x);
    if (value < best) {
      best = value;
      place = x;
    } else if (x > place + 4) {
      break;  // only grows from here
    }
  }
  return std::min(best, least_value(place - kStep, place + kStep, 1e-6, f));
}

double RenyiCurve::delta_upper(double epsilon) const {
  return delta_with_distance(distance_, epsilon, [&](double place) {
    return least([&](double divergence, double order) { return rdp_to_delta(divergence, order, place); });
  });
}

double RenyiCurve::epsilon_upper(double delta) const {
  const auto at = [&](double left) {
    return least([&](double divergence, double order) { return rdp_to_epsilon(divergence, order, left); });
  };
  if (distance_ == 0) return at(delta);
  // The distance adds (1 + e^epsilon) distance to delta: find an epsilon that leaves enough.
  return charged_for_distance(distance_, delta, at);
}

}  // namespace account

double rdp_upper(const Event& event, Relation relation, double order) {
  check_order(order);
  const RenyiCurve curve(std::span(&event, 1), relation);
  return curve.distance() > 0 ? kInfinity : curve.divergence(order);
}

double rdp_to_epsilon(double divergence, double order, double delta) {
  check_order(order);
  check_delta(delta);
  return std::max(0.0,
                  divergence + std::log1p(-1 / order) - (std::log(delta) + std::log(order)) / (order - 1));
}

double rdp_to_delta(double divergence, double order, double epsilon) {
  check_order(order);
  check_epsilon(epsilon);
  const double log =
      (order - 1) * (divergence - epsilon) + order * std::log1p(-1 / order) - std::log(order - 1);
  return std::exp(std::min(0.0, log));
}

double rdp_delta_upper(std::span<const Event> events, Relation relation, double epsilon) {
  check_epsilon(epsilon);
  return events.empty() ? 0 : RenyiCurve(events, relation).delta_upper(epsilon);
}

double rdp_epsilon_upper(std::span<const Event> events, Relation relation, double delta) {
  check_delta(delta);
  return events.empty() ? 0 : RenyiCurve(events, relation).epsilon_upper(delta);
}

}  // namespace tulle
