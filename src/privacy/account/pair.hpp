// Dominating pairs: two distributions P and Q at least as easy to tell apart as the outputs on any
// neighbours. Only the privacy loss ln(P/Q) under P matters.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/unit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace tulle::account {

// Which of two neighbours comes first. Pairs that are their own mirror image have no direction.
enum class Direction { remove, add };

// Gaussian noise of standard deviation `noise` in units of the contribution, Poisson-sampled at `rate` (1:
// not sampled):
//   removal:  P = (1-q) N(0) + q N(1), Q = N(0);   addition: the reverse  (Zhu, Dong, Wang 2022, theorem 11)
//   replace:  P = (1-q) N(0) + q N(1), Q = (1-q) N(0) + q N(-1)
struct GaussianPair {
  double noise, rate;
  bool replace;
};

// Laplace noise of scale `noise` in units of the contribution, for a scalar; removal and addition as above.
struct LaplacePair {
  double noise, rate;
};

// A point of a discrete pair: its privacy loss and ln of its probability under Q; that under P is e^loss
// times as large.
struct Point {
  double loss, log_q;
};

// A symmetric pair of discrete distributions before sampling, then Poisson-sampled at `rate`. `only_p` is the
// probability under P of outcomes impossible under Q (and vice versa). Unbounded noise is cut: P has at most
// `cut` beyond the points, and e^(theta loss) loses nothing that matters up to most_theta.
struct DiscretePair {
  std::vector<Point> points;
  double only_p, rate;
  double cut = 0, most_theta = std::numeric_limits<double>::infinity();
};

// Gaussian noise, `rate` of the units drawn without replacement, replacement of one: no pair is known that
// composes, only Renyi divergences.
struct WithoutReplacement {
  double noise, rate;
};

// Noise with no known pair, only a bound on the Renyi divergence: order * rho.
struct Concentrated {
  double rho;
};

using Pair = std::variant<GaussianPair, LaplacePair, DiscretePair, WithoutReplacement, Concentrated>;

// How a release is analysed. The mechanism that runs may differ from the analysed one by a total variation of
// up to `distance` on every input: that adds (1 + e^epsilon) distance to delta, and distances add up.
struct Analysis {
  Pair pair;
  double distance = 0;
};

// How one release of `event` is analysed by its privacy loss distribution, and by its Renyi divergences;
// empty if there is no such analysis. An Error if its sampling has no analysis at all under this relation.
std::optional<Analysis> loss_analysis(const Event& event, Relation relation);
std::optional<Analysis> renyi_analysis(const Event& event, Relation relation);

// Throws an Error that there is neither.
[[noreturn]] void refuse(const Event& event, Relation relation);

// Whether a grid can hold losses of this size.
bool fits_grid(const Pair& pair);

// Whether removal and addition have the same loss.
bool symmetric(const Pair& pair);

// A width such that a grid of it, or of an integer part of it, holds the largest losses of the pair exactly;
// 0 if there is none.
double natural_width(const Pair& pair);

// The privacy loss as weighted points: exact for discrete pairs, quadrature nodes otherwise, good to about
// 1e-13 for integrals of e^(theta loss) with 0 <= theta <= most_theta. `log_p` is ln of the weight under P.
struct LossPoint {
  double loss, log_p;
};
struct LossPoints {
  std::vector<LossPoint> points;
  double infinite = 0;  // probability of an infinite loss
};
// All loss is infinite if too many points would be needed, or the pair is WithoutReplacement or Concentrated.
LossPoints loss_points(const Pair& pair, Direction direction, double most_theta);

// An upper bound of the probability under P of losses beyond loss_points(.., 0).
double mass_beyond_points(const Pair& pair);

// ln((1 - q) + q e^u): how sampling at rate q dampens the loss u; and its inverse.
inline double dampen(double u, double rate) {
  if (rate == 1) return u;  // where expm1(u) is -1 to all digits, its log1p is not u
  return u > 1 ? u + std::log(rate + (1 - rate) * std::exp(-u)) : std::log1p(rate * std::expm1(u));
}
inline double undampen(double loss, double rate) {
  if (rate == 1) return loss;
  return loss > 1 ? loss + std::log1p((rate - 1) * std::exp(-loss)) - std::log(rate)
                  : std::log1p(std::max(-1.0, std::expm1(loss) / rate));
}

// The place where the loss of a Gaussian pair under replacement has this value: (1-q) + q e^(y/s^2 - 1/2s^2)
// over the same at -y, so that sinh(y/s^2 - loss/2) = (1-q) / (q e^(-1/2s^2)) sinh(loss/2).
inline double place_of_replaced_loss(double s, double q, double loss) {
  const double l = std::abs(loss), s2 = s * s;
  if (q == 1) return loss * s2 / 2;
  // ln sinh(l/2), without overflow.
  const double log_sinh =
      l > 1 ? l / 2 + std::log1p(-std::exp(-l)) - std::log(2.0) : std::log(std::sinh(l / 2));
  const double log_side = std::log1p(-q) - std::log(q) + 1 / (2 * s2) + log_sinh;
  const double part = log_side > 20 ? log_side + std::log(2.0) : std::asinh(std::exp(log_side));
  return std::copysign(s2 * (l / 2 + part), loss);
}

}  // namespace tulle::account
