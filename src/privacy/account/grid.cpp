#include "grid.hpp"

#include "normal.hpp"
#include "quadrature.hpp"
#include "search.hpp"

#include <tulle/base/error.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace tulle::account {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

// The grid under construction. A mass at loss l between the points e and e + width goes to the upper one by
// the share (1 - e^(e - l)) / (1 - e^-width), to the lower one by the rest: that keeps both the mass and the
// mean of e^-l.
class Grid {
 public:
  Grid(double width, double least, double most)
      : width_(width),
        first_(static_cast<std::int64_t>(std::floor(least / width))),
        mass_(static_cast<std::size_t>(std::ceil(most / width) - std::floor(least / width)) + 2, 0.0) {}

  std::size_t bins() const { return mass_.size() - 1; }
  double edge(std::size_t bin) const {
    return static_cast<double>(first_ + static_cast<std::int64_t>(bin)) * width_;
  }

  // Whole grid steps in a length.
  std::int64_t steps(double length) const {
    return static_cast<std::int64_t>(std::min(length / width_, 1e9));
  }

  // `rise` is the mean of 1 - e^(e - l) over the mass, e the lower end of the bin and its stride in grid
  // points.
  void add(std::size_t bin, std::size_t stride, double mass, double rise) {
    const double upper_share =
        std::clamp(rise / -std::expm1(-width_ * static_cast<double>(stride)), 0.0, 1.0);
    mass_[bin] += mass * (1 - upper_share);
    mass_[bin + stride] += mass * upper_share;
  }

  void add_atom(double loss, double mass) {
    const double place = std::floor(loss / width_) - static_cast<double>(first_);
    const auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins() - 1)));
    add(bin, 1, mass, -std::expm1(edge(bin) - loss) + 4 * kUnit * std::abs(loss));
  }

  void add_least(double mass) { mass_[1] += mass; }

  GridLoss finish(double infinite) const {
    GridLoss loss;
    loss.infinite = infinite;
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      if (mass_[i] == 0) continue;
      loss.index.push_back(first_ + static_cast<std::int64_t>(i));
      loss.mass.push_back(mass_[i]);
    }
    return loss;
  }

 private:
  double width_;
  std::int64_t first_;
  std::vector<double> mass_;
};

// What P looks like at a place: density, e^-loss - 1 written as (numerator of 1 - e^(e - loss), denominator),
// see below.
struct Here {
  double density;
  double rise;  // e^loss = rise / fall: both are kept as 1 + (small part)
  double fall;
  double scale;  // largest of the parts: how much rounding they carry
};

// 1 - e^(e - l) with e^l = (1 + rise) / (1 + fall) and edge = e^e - 1: no cancellation that the parts do not
// have.
double split(const Here& here, double edge) {
  return (here.rise - here.fall - edge * (1 + here.fall)) / (1 + here.rise);
}

// Gaussian pairs. The coordinate y grows with the loss.
struct GaussianPlaces {
  const GaussianPair& pair;
  Direction direction;
  double s = pair.noise, s2 = s * s, q = pair.rate, centre = 1 / (s * std::sqrt(2 * std::numbers::pi));
  double log_odds = std::log1p(-q) - std::log(q) + 1 / (2 * s2);  // ln((1-q) / (q e^(-1/2s^2)))

  double mixed(double x) const { return q * std::expm1((x - 0.5) / s2); }

  Here at(double y) const {
    const double base = centre * std::exp(-y * y / (2 * s2));
    if (pair.replace) {
      const double rise = mixed(y), fall = mixed(-y);
      return {base * (1 + rise), rise, fall, std::min(1.0, std::abs(rise)) + std::min(1.0, std::abs(fall))};
    }
    const double part = mixed(direction == Direction::remove ? y : -y), scale = std::min(1.0, std::abs(part));
    if (direction == Direction::remove) return {base * (1 + part), part, 0, scale};
    return {base, 0, part, scale};
  }

  double place(double loss) const {
    // (1-q) + q e^(y/s^2 - 1/2s^2) over the same at -y: sinh((y/s^2 - loss/2)) = odds sinh(loss/2).
    if (pair.replace) {
      const double sinh = std::sinh(std::abs(loss) / 2), log_sinh = log_odds + std::log(sinh);
      const double part = log_sinh > 20 ? log_sinh + std::log(2.0) : std::asinh(std::exp(log_sinh));
      return std::copysign(s2 * (std::abs(loss) / 2 + part), loss);
    }
    if (direction == Direction::remove) return s2 * undampen(loss, q) + 0.5;
    return -(s2 * undampen(-loss, q) + 0.5);
  }

  double loss(double y) const {
    if (pair.replace) return dampen((y - 0.5) / s2, q) - dampen((-y - 0.5) / s2, q);
    if (direction == Direction::remove) return dampen((y - 0.5) / s2, q);
    return -dampen((-y - 0.5) / s2, q);
  }

  // The length on which density and loss are smooth around y.
  double smooth(double y) const { return std::min(s / std::max(1.0, std::abs(y) / s), s2); }
};

struct LaplacePlaces {
  const LaplacePair& pair;
  Direction direction;
  double s = pair.noise, q = pair.rate;

  // Between the two centres, from that of Q at 0 to that of P at 1; mirrored for additions.
  double x_of(double y) const { return direction == Direction::remove ? y : 1 - y; }

  Here at(double y) const {
    const double x = x_of(y), base = std::exp(-x / s) / (2 * s), part = q * std::expm1((2 * x - 1) / s);
    const double scale = std::min(1.0, std::abs(part));
    if (direction == Direction::remove) return {base * (1 + part), part, 0, scale};
    return {base, 0, part, scale};
  }

  double place(double loss) const {
    const double u = undampen(direction == Direction::remove ? loss : -loss, q);
    return x_of((s * u + 1) / 2);
  }

  double smooth(double) const { return s / 2; }
};

template <int n>
struct Rule {
  std::array<double, n> node, weight;
};
constexpr Rule<2> kRule2 = {{-0.5773502691896257, 0.5773502691896257}, {1, 1}};
constexpr Rule<3> kRule3 = {{-0.7745966692414834, 0, 0.7745966692414834},
                            {0.5555555555555556, 0.8888888888888888, 0.5555555555555556}};
constexpr Rule<4> kRule4 = {
    {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526},
    {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538}};

// Integrates the part of P with from <= y <= to into the grid, bin by bin.
template <class Places>
void add_smooth(Grid& grid, const Places& places, double from, double to,
                const std::vector<Stride>& strides) {
  double left = from;
  std::size_t segment = 0, stride = 1;
  std::int64_t segment_stride = 1;
  for (std::size_t bin = 0; bin < grid.bins() && left < to; bin += stride) {
    while (segment < strides.size() && strides[segment].from <= grid.edge(bin))
      segment_stride = strides[segment++].stride;
    // Up to the next segment, which may be finer, and to the end of the grid.
    const std::int64_t room =
        segment < strides.size() ? grid.steps(strides[segment].from - grid.edge(bin)) : segment_stride;
    stride = static_cast<std::size_t>(
        std::clamp(segment_stride, std::int64_t{1}, std::max(room, std::int64_t{1})));
    stride = std::min(stride, grid.bins() - bin);
    const double right =
        bin + stride == grid.bins() ? to : std::min(to, places.place(grid.edge(bin + stride)));
    if (!(right > left)) continue;
    const double edge = std::expm1(grid.edge(bin)), rounding = 8 * kUnit * (1 + std::abs(grid.edge(bin)));
    double mass = 0, upper = 0;
    const auto use = [&](double y, double weight) {
      const Here here = places.at(y);
      const double part = weight * here.density;
      mass += part;
      upper += part * (split(here, edge) + rounding * here.scale);
    };
    const auto panel = [&](const auto& rule) {
      const double half = (right - left) / 2, middle = (right + left) / 2;
      for (std::size_t i = 0; i < rule.node.size(); ++i)
        use(middle + half * rule.node[i], half * rule.weight[i]);
    };
    // The error of n nodes on a panel of w smooth lengths is about w^(2n) (n!)^4 / ((2n + 1) (2n)!^3).
    const double w = (right - left) / std::min(places.smooth(left), places.smooth(right));
    if (w < 0.004)
      panel(kRule2);
    else if (w < 0.08)
      panel(kRule3);
    else if (w < 0.3)
      panel(kRule4);
    else
      gauss_legendre_nodes(left, right, static_cast<int>(std::ceil(w)), use);
    if (mass > 0) grid.add(bin, stride, mass, upper / mass);
    left = right;
  }
}

// Deviations beyond which a normal has probability of at most `tail`.
double reach(double tail) {
  if (tail >= 0.5) return 0;
  const double most = std::sqrt(-2 * std::log(2 * tail));  // Q(z) <= e^(-z^2/2) / 2
  return last_place(most, 0, 1e-3, [&](double z) { return upper_tail(z) <= tail; });
}

GridLoss discretise_pair(const GaussianPair& pair, Direction direction, double width, double tail,
                         const std::vector<Stride>& strides) {
  const GaussianPlaces places{pair, direction};
  const bool mixed = pair.replace || direction == Direction::remove;  // P is (1-q) N(0) + q N(1)
  const double from = -pair.noise * reach(tail / 2);
  const double to =
      mixed ? std::max(1 + pair.noise * reach(tail / (2 * pair.rate)), pair.noise * reach(tail / 2))
            : pair.noise * reach(tail / 2);
  const double least = places.loss(from);
  Grid grid(width, least, places.loss(to));
  add_smooth(grid, places, from, to, strides);
  grid.add_least(tail);
  return grid.finish(tail);
}

// Below the one centre and above the other the loss of Laplace noise is constant.
std::array<LossPoint, 2> flat_parts(const LaplacePair& pair, Direction direction) {
  const double log_q = std::log(0.5), step = 1 / pair.noise;
  const double below = dampen(-step, pair.rate), above = dampen(step, pair.rate);
  if (direction == Direction::remove) return {{{below, log_q + below}, {above, log_q - step + above}}};
  return {{{-above, log_q - step}, {-below, log_q}}};
}

GridLoss discretise_pair(const LaplacePair& pair, Direction direction, double width, double,
                         const std::vector<Stride>& strides) {
  const std::array<LossPoint, 2> flat = flat_parts(pair, direction);
  Grid grid(width, flat[0].loss, flat[1].loss);
  for (const LossPoint& part : flat) grid.add_atom(part.loss, std::exp(part.log_p));
  add_smooth(grid, LaplacePlaces{pair, direction}, 0, 1, strides);
  return grid.finish(0);
}

GridLoss discretise_pair(const DiscretePair& pair, Direction direction, double width, double tail,
                         const std::vector<Stride>&) {
  LossPoints atoms = loss_points(pair, direction, 0);
  // Points below tail / (their number) can go: up to `tail` of them together at each end.
  const double log_least = std::log(tail / static_cast<double>(atoms.points.size()));
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const LossPoint& atom : atoms.points) {
    if (atom.log_p < log_least) continue;
    least = std::min(least, atom.loss);
    most = std::max(most, atom.loss);
  }
  Grid grid(width, least, most);
  double infinite = atoms.infinite + pair.cut;
  for (const LossPoint& atom : atoms.points) {
    const double mass = std::exp(atom.log_p);
    if (atom.loss > most)
      infinite += mass;
    else
      grid.add_atom(std::max(atom.loss, least), mass);
  }
  return grid.finish(infinite);
}

GridLoss discretise_pair(const WithoutReplacement&, Direction, double, double, const std::vector<Stride>&) {
  fail(
      "batches of fixed size have no privacy loss distribution that composes; account for them by Renyi "
      "divergences");
}

GridLoss discretise_pair(const Concentrated&, Direction, double, double, const std::vector<Stride>&) {
  fail(
      "a release known by its concentrated privacy alone has no privacy loss distribution; account by Renyi "
      "divergences");
}

// The mean of (1 - e^(epsilon - L))+ over the part of P with y <= to.
template <class Places>
double smooth_delta(const Places& places, double epsilon, double from, double to) {
  const double edge = std::expm1(epsilon);
  double sum = 0, left = std::max(from, places.place(epsilon));
  while (left < to) {
    const double right = std::min(to, left + places.smooth(left));
    gauss_legendre_nodes(left, right, 1, [&](double y, double weight) {
      const Here here = places.at(y);
      sum +=
          weight * here.density * std::max(0.0, split(here, edge) + 8 * kUnit * (1 + epsilon) * here.scale);
    });
    left = right;
  }
  return sum;
}

double delta_of_pair(const GaussianPair& pair, Direction direction, double epsilon) {
  const GaussianPlaces places{pair, direction};
  const double place = places.place(epsilon);
  if (!std::isfinite(place)) return 0;  // no loss is that large
  // Far out the density falls by e on a smooth length.
  const double to =
      std::max(1.0, place) + std::min(10 * pair.noise, 40 * places.smooth(std::max(1.0, place)));
  const bool mixed = pair.replace || direction == Direction::remove;
  return smooth_delta(places, epsilon, -40 * pair.noise, to) + upper_tail((mixed ? to - 1 : to) / pair.noise);
}

double delta_of_pair(const LaplacePair& pair, Direction direction, double epsilon) {
  double sum = 0;
  for (const LossPoint& part : flat_parts(pair, direction))
    if (part.loss > epsilon) sum += std::exp(part.log_p) * -std::expm1(epsilon - part.loss);
  return sum + smooth_delta(LaplacePlaces{pair, direction}, epsilon, 0, 1);
}

double delta_of_pair(const DiscretePair& pair, Direction direction, double epsilon) {
  const LossPoints loss = loss_points(pair, direction, 0);
  double sum = loss.infinite + pair.cut;
  for (const LossPoint& point : loss.points)
    if (point.loss > epsilon) sum += std::exp(point.log_p) * -std::expm1(epsilon - point.loss);
  return sum;
}

double delta_of_pair(const WithoutReplacement&, Direction, double) {
  return 1;
}

double delta_of_pair(const Concentrated&, Direction, double) {
  return 1;
}

}  // namespace

GridLoss discretise(const Pair& pair, Direction direction, double width, double tail,
                    const std::vector<Stride>& strides) {
  return std::visit([&](const auto& p) { return discretise_pair(p, direction, width, tail, strides); }, pair);
}

double delta_of_one(const Pair& pair, Direction direction, double epsilon) {
  constexpr double kError = 1e-11;  // of the quadrature, relative
  return (1 + kError) * std::visit([&](const auto& p) { return delta_of_pair(p, direction, epsilon); }, pair);
}

}  // namespace tulle::account
