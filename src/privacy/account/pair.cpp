#include "pair.hpp"

#include "constants.hpp"
#include "match.hpp"
#include "normal.hpp"
#include "quadrature.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <numbers>

namespace tulle::account {
namespace {

// ---- From events to pairs.

// Among (epsilon, delta)-private mechanisms, randomised response is the easiest to tell apart: it dominates
// all others (Kairouz, Oh, Viswanath 2015).
DiscretePair randomised_response(double epsilon, double delta, double rate) {
  const double log_rest = std::log1p(-delta);
  return {{{epsilon, log_rest - epsilon - std::log1p(std::exp(-epsilon))},
           {-epsilon, log_rest - std::log1p(std::exp(-epsilon))}},
          delta,
          rate};
}

// Integer noise shifted by an integer has few enough points to hold them all, up to these limits.
constexpr double kMostSigma = 16384;
constexpr std::uint64_t kMostSteps = 4096;

DiscretePair discrete_gaussian(double sigma, double shift, double rate) {
  // P is centred at `shift`, Q at 0; less than e^-128 lies beyond 16 standard deviations.
  const double reach = std::ceil(16 * sigma) + 1;
  double normaliser = 0;
  for (double k = reach; k >= 1; --k) normaliser += 2 * std::exp(-k * k / (2 * sigma * sigma));
  const double log_normaliser = std::log1p(normaliser);
  DiscretePair pair{{}, 0, rate, std::exp(-127), 5 * sigma / shift};
  const double from = -reach, to = reach + shift;
  for (double k = from; k <= to; ++k)
    pair.points.push_back(
        {shift * (2 * k - shift) / (2 * sigma * sigma), -k * k / (2 * sigma * sigma) - log_normaliser});
  return pair;
}

DiscretePair discrete_laplace(double scale, std::uint64_t shift, double rate) {
  // Q(k) = tanh(1 / (2 scale)) e^(-|k| / scale); the loss is constant below 0 and above the shift.
  const double step = 1 / scale, d = static_cast<double>(shift);
  const double log_tail = -std::log1p(std::exp(-step));  // ln of the sum over k <= 0
  DiscretePair pair{{{-d * step, log_tail}}, 0, rate};
  const double log_centre = std::log(std::tanh(step / 2));
  for (double k = 1; k < d; ++k) pair.points.push_back({(2 * k - d) * step, log_centre - k * step});
  pair.points.push_back({d * step, log_tail - d * step});
  return pair;
}

// Integer Gaussian noise compared with continuous Gaussian noise rounded to integers, which is
// post-processing of a Gaussian release. Their probabilities differ by the factor 1 + ((k/sigma)^2 - 1) / (24
// sigma^2) + ..., so their total variation is density(1) / (12 sigma^2) = 0.0202 / sigma^2 in the limit, and
// below 0.021 / sigma^2 for sigma >= 2.
double rounding_distance_gaussian(double sigma) {
  return sigma < 2 ? 1 : 0.021 / (sigma * sigma);
}

// The same for Laplace: both have tails e^(-|k| / scale), so they differ at 0 and in proportion elsewhere;
// the total variation is tanh(s) - (1 - e^-s) <= s^2 / 2 with s = 1 / (2 scale).
double rounding_distance_laplace(double scale) {
  return 0.125 / (scale * scale);
}

// Amplification of (epsilon, delta) under replacement by sampling without replacement (Balle, Barthe,
// Gaboardi 2018).
Analysis amplified(double epsilon, double delta, double rate) {
  return {randomised_response(dampen(epsilon, rate), rate * delta, 1)};
}

// Poisson sampling at rate q under replacement, for noise of which only this is known: each contribution of a
// unit is (epsilon, delta)-private against none. Neighbours have P = (1-q) M0 + q M1 and Q = (1-q) M0 + q M2.
// For an event of probability m under M0,
//   M1 <= min(e^epsilon m + delta, 1 - e^-epsilon (1 - m - delta)),
//   M2 >= max(0, e^-epsilon (m - delta), 1 - delta - e^epsilon (1 - m)),
// so for g >= 1 the hockey-stick divergence of (P, Q) is at most the largest value of the concave, piecewise
// linear f(m) = (1-q) (1-g) m + q (bound of M1) - q g (bound of M2). f(0) = q delta, and f rises with slope
//   p - g r,  p = 1-q + q e^epsilon for m < a, else 1-q + q e^-epsilon,  a = (1 - delta) / (1 + e^epsilon),
//             r = 1-q for m < d, else 1-q + q e^-epsilon,                d = min(delta, 1 - delta),
// and does not rise beyond max(a, d). The largest value is q delta + the sum of length (p - g r)+ over the
// pieces. That is exactly the divergence of the pair below, which has a point of probabilities length p and
// length r for each piece, its mirror image, the rest alike under both, and q delta that only P, or only Q,
// can produce. For delta = 0 its largest loss is ln((1-q + q e^epsilon) / (1-q + q e^-epsilon)).
Analysis replaced(double epsilon, double delta, double q) {
  const double log_far = dampen(epsilon, q), log_near = dampen(-epsilon, q), log_none = std::log1p(-q);
  const double log_a = std::log1p(-delta) - epsilon - std::log1p(std::exp(-epsilon));
  const double d = std::min(delta, 1 - delta), a = std::exp(log_a);
  struct Piece {
    double log_length, log_p, log_q;
  };
  std::vector<Piece> pieces;
  if (d > 0) pieces.push_back({std::min(log_a, std::log(d)), log_far, log_none});
  if (a > d || d == 0) pieces.push_back({log_a + (d > 0 ? std::log1p(-d / a) : 0), log_far, log_near});
  if (a < d) pieces.push_back({std::log(d) + std::log1p(-a / d), log_near, log_none});
  DiscretePair pair{{}, q * delta, 1};
  const double room = 4e-16 * (1 + epsilon);  // for the rounding of the exponents
  for (const Piece& piece : pieces) {
    const double log_p = piece.log_length + piece.log_p + room, log_q = piece.log_length + piece.log_q + room;
    if (!std::isfinite(log_q)) {  // sampled with certainty: only P can produce it
      pair.only_p += std::exp(log_p);
      continue;
    }
    pair.points.push_back({log_q - log_p, log_p});
    pair.points.push_back({log_p - log_q, log_q});
  }
  double rest = 1 - pair.only_p;
  for (const Point& point : pair.points) rest -= std::exp(point.log_q);
  // Rounded up: too much probability is on the safe side.
  pair.points.push_back({0, std::log(std::max(rest, 0.0) + 1e-15)});
  std::ranges::sort(pair.points, {}, &Point::loss);
  return {std::move(pair)};
}

void refuse_fixed_batch(Relation relation) {
  if (relation == Relation::replace) return;
  fail_usage(
      "batches of fixed size under {} neighbours: the batch size reveals whether a unit is present, and the "
      "analysis of Poisson sampling does not apply; sample by PoissonSampler, or account for `replace` with "
      "sensitivity 2C",
      name(relation));
}

struct SamplingCase {
  double rate = 1;
  bool poisson = false, fixed = false, replace = false;

  // Under replacement, a unit's contribution changes from -C to C.
  bool mixes_both() const { return poisson && replace; }
};

SamplingCase sampling_of(const Event& event, Relation relation) {
  SamplingCase way;
  way.replace = relation == Relation::replace;
  if (const auto* poisson = std::get_if<PoissonSampling>(&event.sampling())) {
    way.poisson = true;
    way.rate = poisson->rate();
  } else if (const auto* fixed = std::get_if<FixedBatch>(&event.sampling())) {
    refuse_fixed_batch(relation);
    way.fixed = fixed->batch() < fixed->population();
    way.rate = fixed->rate();
  }
  return way;
}

// The analysis by (epsilon, delta) of a contribution alone, if no better one is known for this sampling.
std::optional<Analysis> only_private(double epsilon, double delta, const SamplingCase& way) {
  if (way.mixes_both()) return replaced(epsilon, delta, way.rate);
  if (way.fixed) return amplified(epsilon, delta, way.rate);
  return std::nullopt;
}

// If sampled with probability 1 under replacement, the contribution changes by up to twice its norm.
Analysis gaussian_analysis(double noise, const SamplingCase& way, double distance) {
  if (way.mixes_both() && way.rate == 1) return {GaussianPair{noise / 2, 1, false}, distance};
  return {GaussianPair{noise, way.rate, way.mixes_both()}, distance};
}

bool exact_integer_gaussian(const DiscreteGaussianRelease& m) {
  return m.coordinates == 1 && m.sigma <= kMostSigma && m.sensitivity <= kMostSigma &&
         m.sensitivity == std::floor(m.sensitivity);
}

}  // namespace

std::optional<Analysis> loss_analysis(const Event& event, Relation relation) {
  const SamplingCase way = sampling_of(event, relation);
  return std::visit(
      Match{[&](const GaussianRelease& m) -> std::optional<Analysis> {
              if (way.fixed) return std::nullopt;
              return gaussian_analysis(m.noise_multiplier, way, 0);
            },
            [&](const LaplaceRelease& m) -> std::optional<Analysis> {
              if (way.mixes_both() && way.rate == 1) return Analysis{LaplacePair{m.noise_multiplier / 2, 1}};
              if (auto known = only_private(1 / m.noise_multiplier, 0, way)) return known;
              return Analysis{LaplacePair{m.noise_multiplier, way.rate}};
            },
            [&](const DiscreteGaussianRelease& m) -> std::optional<Analysis> {
              if (way.fixed) return std::nullopt;
              if (exact_integer_gaussian(m) && !way.mixes_both())
                return Analysis{discrete_gaussian(m.sigma, m.sensitivity, way.rate)};
              const double distance =
                  rounding_distance_gaussian(m.sigma) * static_cast<double>(m.coordinates);
              if (distance >= 1) return std::nullopt;
              return gaussian_analysis(m.sigma / m.sensitivity, way, distance);
            },
            [&](const DiscreteLaplaceRelease& m) -> std::optional<Analysis> {
              const double multiplier = m.scale / static_cast<double>(m.sensitivity);
              if (auto known = only_private(1 / multiplier, 0, way)) return known;
              if (m.sensitivity <= kMostSteps)
                return Analysis{discrete_laplace(m.scale, m.sensitivity, way.rate)};
              return Analysis{LaplacePair{multiplier, way.rate}, rounding_distance_laplace(m.scale)};
            },
            [&](const Approximate& m) -> std::optional<Analysis> {
              if (auto known = only_private(m.epsilon, m.delta, way)) return known;
              return Analysis{randomised_response(m.epsilon, m.delta, way.rate)};
            }},
      event.mechanism());
}

std::optional<Analysis> renyi_analysis(const Event& event, Relation relation) {
  const SamplingCase way = sampling_of(event, relation);
  if (const auto* m = std::get_if<GaussianRelease>(&event.mechanism())) {
    if (way.fixed) return Analysis{WithoutReplacement{m->noise_multiplier, way.rate}};
    return gaussian_analysis(m->noise_multiplier, way, 0);
  }
  if (const auto* m = std::get_if<DiscreteGaussianRelease>(&event.mechanism())) {
    // The divergence of integer Gaussian noise is at most that of Gaussian noise, in any dimension (Canonne,
    // Kamath, Steinke 2020, theorem 14), but an analysis of sampling needs more than divergences.
    const double multiplier = m->sigma / m->sensitivity;
    if (!way.poisson && !way.fixed) return Analysis{Concentrated{0.5 / (multiplier * multiplier)}};
    if (way.fixed) {
      const double distance = rounding_distance_gaussian(m->sigma) * static_cast<double>(m->coordinates);
      if (distance >= 1) return std::nullopt;
      return Analysis{WithoutReplacement{multiplier, way.rate}, distance};
    }
  }
  return loss_analysis(event, relation);
}

// Noise below these bounds has epsilons in the thousands, which a grid does not resolve.
bool fits_grid(const Pair& pair) {
  constexpr double kLeastGaussian = 0.01, kMostLoss = 1e4;
  return std::visit(Match{[](const GaussianPair& p) { return p.noise >= kLeastGaussian; },
                          [](const LaplacePair& p) { return 1 / p.noise <= kMostLoss; },
                          [](const DiscretePair& p) {
                            for (const Point& point : p.points)
                              if (std::abs(point.loss) > kMostLoss && point.log_q + point.loss > -120)
                                return false;
                            return true;
                          },
                          [](const auto&) { return false; }},
                    pair);
}

void refuse(const Event& event, Relation relation) {
  fail_usage(
      "no analysis is known for: {}, under {} neighbours; to be sampled like this, integer Gaussian noise "
      "needs a finer grid (a "
      "sigma of more steps)",
      describe(event), name(relation));
}

bool symmetric(const Pair& pair) {
  return std::visit(
      Match{[](const GaussianPair& p) { return p.replace || p.rate == 1; },
            [](const LaplacePair& p) { return p.rate == 1; },
            [](const DiscretePair& p) { return p.rate == 1; }, [](const auto&) { return true; }},
      pair);
}

double natural_width(const Pair& pair) {
  return std::visit(
      Match{[](const LaplacePair& p) { return p.rate == 1 ? 1 / p.noise : 0; },
            [](const DiscretePair& p) { return p.rate == 1 ? std::abs(p.points.back().loss) : 0; },
            [](const auto&) { return 0.0; }},
      pair);
}

namespace {

// ---- From pairs to points.

// A node x with weight w and base density q(x) e^..., whose loss before sampling is u.
void add_sampled(LossPoints& result, double log_q, double u, double rate, Direction direction) {
  const double loss = dampen(u, rate);
  if (direction == Direction::remove)
    result.points.push_back({loss, log_q + loss});
  else
    result.points.push_back({-loss, log_q});
}

constexpr double kMostPanels = 1 << 14;
constexpr double kReach = 13;  // standard deviations of Gaussian noise that points cover on either side

LossPoints points_of(const GaussianPair& pair, Direction direction, double most_theta) {
  const double s = pair.noise, reach = kReach * s;
  // Tilting by e^(theta loss) moves the centre of mass by at most theta, towards larger losses.
  double from = -reach, to = reach;
  (direction == Direction::remove ? to : from) +=
      direction == Direction::remove ? 1 + most_theta : -most_theta;
  if (pair.replace) from -= 1;
  // Panels shorter than a standard deviation and the distance pi s^2 of the complex zeros of (1-q) + q e^u.
  const double width = std::min(s, 1.6 * s * s);
  const double log_scale = -std::log(s * std::sqrt(2 * std::numbers::pi));
  LossPoints result;
  const double panels = std::ceil((to - from) / width);
  if (panels > kMostPanels) return {{}, 1};
  gauss_legendre_nodes(from, to, static_cast<int>(panels), [&](double x, double weight) {
    const double log_q = std::log(weight) + log_scale - x * x / (2 * s * s), u = (x - 0.5) / (s * s);
    if (pair.replace) {
      const double loss_p = dampen(u, pair.rate), loss_q = dampen((-x - 0.5) / (s * s), pair.rate);
      result.points.push_back({loss_p - loss_q, log_q + loss_p});
    } else {
      add_sampled(result, log_q, u, pair.rate, direction);
    }
  });
  return result;
}

LossPoints points_of(const LaplacePair& pair, Direction direction, double most_theta) {
  const double s = pair.noise;
  LossPoints result;
  const double panels =
      std::ceil((1 + most_theta) / s);  // the integrand grows by e^(2 (1 + theta) / s) at most
  if (panels > kMostPanels) return {{}, 1};
  add_sampled(result, std::log(0.5), -1 / s, pair.rate, direction);
  add_sampled(result, std::log(0.5) - 1 / s, 1 / s, pair.rate, direction);
  gauss_legendre_nodes(0, 1, static_cast<int>(panels), [&](double x, double weight) {
    add_sampled(result, std::log(weight / (2 * s)) - x / s, (2 * x - 1) / s, pair.rate, direction);
  });
  return result;
}

LossPoints points_of(const DiscretePair& pair, Direction direction, double most_theta) {
  LossPoints result;
  if (most_theta > pair.most_theta) result.infinite = 1;
  for (const Point& point : pair.points) add_sampled(result, point.log_q, point.loss, pair.rate, direction);
  if (pair.only_p > 0) {
    if (direction == Direction::remove) result.infinite = pair.rate * pair.only_p;
    if (pair.rate < 1) add_sampled(result, std::log(pair.only_p), -kInfinity, pair.rate, direction);
    if (pair.rate == 1 && direction == Direction::add) result.infinite = pair.only_p;
  }
  return result;
}

LossPoints points_of(const WithoutReplacement&, Direction, double) {
  return {{}, 1};
}

LossPoints points_of(const Concentrated&, Direction, double) {
  return {{}, 1};
}

}  // namespace

LossPoints loss_points(const Pair& pair, Direction direction, double most_theta) {
  return std::visit([&](const auto& p) { return points_of(p, direction, most_theta); }, pair);
}

double mass_beyond_points(const Pair& pair) {
  return std::visit(Match{[](const GaussianPair&) { return 2 * upper_tail(kReach); },
                          [](const DiscretePair& p) { return p.cut; }, [](const auto&) { return 0.0; }},
                    pair);
}

}  // namespace tulle::account
