#include "single.hpp"

#include "constants.hpp"
#include "normal.hpp"

#include <algorithm>
#include <cmath>

namespace tulle::account {
namespace {

// For a pair (P, Q) whose delta is D(epsilon) in both directions, sampled at rate q. With g = e^epsilon,
//   removal:   (1-q) Q + q P - g Q = q (P - g' Q),           g' = (g - (1-q)) / q
//   addition:  Q - g ((1-q) Q + q P) = k (Q - (g q / k) P),  k = 1 - (1-q) g; k <= 0: no loss reaches epsilon
// so that delta is q D(ln g') or k D(ln (g q / k)). Logarithms are rounded down, so that D is rounded up.
template <class Delta>
double sampled_delta(double q, Direction direction, double epsilon, const Delta& delta) {
  if (q == 1) return delta(epsilon);
  if (direction == Direction::remove) {
    const double u = undampen(epsilon, q);
    return q * delta(std::max(0.0, u - 8 * kUnit * (1 + u - std::log(q))));
  }
  const double log_rest = std::log1p(-q),
               k = -std::expm1(epsilon + log_rest - 8 * kUnit * (epsilon - log_rest));
  if (k <= 0) return 0;
  const double u = epsilon + std::log(q) - std::log(k);
  return k * delta(std::max(0.0, u - 8 * kUnit * (1 + std::abs(u) - std::log(q))));
}

// With t the place where the loss is epsilon, a = 1/s and n densities of standard deviation s:
//   delta = q [N1(x > t) - A N0(x > t)] + q e^epsilon [B N0(x > t) - N-1(x > t)],
// where A and B are the ratios of the densities at 1 and at -1 to that at 0 in t, related by (1-q) (e^epsilon
// - 1) = q (A - e^epsilon B). Both brackets are excesses of a tail.
double replaced_delta(double s, double q, double epsilon, double t) {
  const double half = 0.5 / s;
  const double first = log_tail_excess_upper((t - 0.5) / s, half);
  // density(b) (R(a) - R(b)) instead of density(a) (R(a) - R(b)): ln of their ratio is (a^2 - b^2) / 2.
  const double ratio = -(t + 0.5) / (s * s);
  const double second = log_tail_excess_upper((t + 0.5) / s, half) + ratio + epsilon;
  const double room = 64 * kUnit * (1 + epsilon + std::abs(ratio));
  return q * (std::exp(first) + std::exp(second + room));
}

double delta_of_pair(const GaussianPair& pair, Direction direction, double epsilon) {
  if (pair.replace) {
    const double t = place_of_replaced_loss(pair.noise, pair.rate, epsilon);
    return std::isfinite(t) ? replaced_delta(pair.noise, pair.rate, epsilon, t) : 0;
  }
  return sampled_delta(pair.rate, direction, epsilon, [&](double e) {
    return std::exp(log_tail_excess_upper(e * pair.noise, 0.5 / pair.noise));
  });
}

double delta_of_pair(const LaplacePair& pair, Direction direction, double epsilon) {
  const double most = 1 / pair.noise;
  return sampled_delta(pair.rate, direction, epsilon, [&](double e) {
    return e < most ? -std::expm1((e - most) / 2 - 4 * kUnit * most) : 0;
  });
}

double delta_of_pair(const DiscretePair& pair, Direction direction, double epsilon) {
  const LossPoints loss = loss_points(pair, direction, 0);
  double sum = loss.infinite + pair.cut;
  for (const LossPoint& point : loss.points)
    if (point.loss > epsilon)
      sum -= std::exp(point.log_p) * std::expm1(epsilon - point.loss - 8 * kUnit * std::abs(point.loss));
  return sum;
}

double delta_of_pair(const WithoutReplacement&, Direction, double) {
  return 1;
}

double delta_of_pair(const Concentrated&, Direction, double) {
  return 1;
}

}  // namespace

double delta_of_one(const Pair& pair, Direction direction, double epsilon) {
  constexpr double kError = 1e-12;  // of sums of points and of the probabilities themselves, relative
  const double delta = std::visit([&](const auto& p) { return delta_of_pair(p, direction, epsilon); }, pair);
  return std::min(1.0, delta * (1 + kError));
}

}  // namespace tulle::account
