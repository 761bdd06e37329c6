#include "grid.hpp"

#include "constants.hpp"
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

  // `rise` is the mean of 1 - e^(e - l) over the mass, where e is the lower end of the bin; the stride is in
  // grid points.
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

// Whether a grid of this width can hold these losses at all.
bool fits_memory(double width, double least, double most) {
  constexpr double kMostPoints = 1 << 24, kMostIndex = 1e15;
  return (most - least) / width < kMostPoints &&
         std::max(std::abs(least), std::abs(most)) / width < kMostIndex;
}

// The result if it cannot: nothing is known.
GridLoss unknown_loss() {
  return {{0}, {1}, 1};
}

// A point: its density under P, and its loss, e^loss = (1 + rise) / (1 + fall).
struct Here {
  double density, loss;
  double rise, fall;
  double scale;  // the larger of the two parts, which bounds their rounding
};

// The lower end of a bin: its loss and e^loss - 1.
struct Edge {
  double loss, rise;
};

// 1 - e^(edge - loss). Near 0 it is computed from the parts, which cancel no more than the losses do;
// elsewhere they overflow, or lose what is small next to 1.
double split(const Here& here, const Edge& edge) {
  if (std::abs(here.loss) > 0.5) return -std::expm1(edge.loss - here.loss);
  return (here.rise - here.fall - edge.rise * (1 + here.fall)) / (1 + here.rise);
}

// Points of a Gaussian pair. The coordinate y grows with the loss.
struct GaussianPlaces {
  const GaussianPair& pair;
  Direction direction;
  double s = pair.noise, s2 = s * s, q = pair.rate, centre = 1 / (s * std::sqrt(2 * std::numbers::pi));

  // ln of the density of Q (addition) or P (removal) over the one at 0.
  double log_ratio(double x) const { return dampen((x - 0.5) / s2, q); }
  double ratio(double x) const { return q * std::expm1((x - 0.5) / s2); }

  Here at(double y) const {
    const double log_base = -y * y / (2 * s2), u = loss(y);
    if (pair.replace) {
      const double rise = ratio(y), fall = ratio(-y);
      return {centre * std::exp(log_base + log_ratio(y)), u, rise, fall,
              std::min(1.0, std::abs(rise)) + std::min(1.0, std::abs(fall))};
    }
    const double part = ratio(direction == Direction::remove ? y : -y), scale = std::min(1.0, std::abs(part));
    if (direction == Direction::remove) return {centre * std::exp(log_base + u), u, part, 0, scale};
    return {centre * std::exp(log_base), u, 0, part, scale};
  }

  double place(double loss) const {
    if (pair.replace) return place_of_replaced_loss(s, q, loss);
    if (direction == Direction::remove) return s2 * undampen(loss, q) + 0.5;
    return -(s2 * undampen(-loss, q) + 0.5);
  }

  double loss(double y) const {
    if (pair.replace) return log_ratio(y) - log_ratio(-y);
    return direction == Direction::remove ? log_ratio(y) : -log_ratio(-y);
  }

  // The length over which density and loss are smooth around y.
  double smooth(double y) const { return std::min(s / std::max(1.0, std::abs(y) / s), s2); }
};

struct LaplacePlaces {
  const LaplacePair& pair;
  Direction direction;
  double s = pair.noise, q = pair.rate;

  // Between the two centres, from that of Q at 0 to that of P at 1; mirrored for additions.
  double x_of(double y) const { return direction == Direction::remove ? y : 1 - y; }

  Here at(double y) const {
    const double x = x_of(y), u = (2 * x - 1) / s, loss = dampen(u, q), part = q * std::expm1(u);
    const double scale = std::min(1.0, std::abs(part));
    if (direction == Direction::remove) return {std::exp(loss - x / s) / (2 * s), loss, part, 0, scale};
    return {std::exp(-x / s) / (2 * s), -loss, 0, part, scale};
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
    const Edge edge{grid.edge(bin), std::expm1(grid.edge(bin))};
    const double rounding = 8 * kUnit * (1 + std::abs(edge.loss));
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

// The number of standard deviations beyond which a normal has probability at most `tail`.
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
  if (!fits_memory(width, least, places.loss(to))) return unknown_loss();
  Grid grid(width, least, places.loss(to));
  add_smooth(grid, places, from, to, strides);
  grid.add_least(tail);
  return grid.finish(tail);
}

// The loss of Laplace noise is constant below the one centre and above the other.
std::array<LossPoint, 2> flat_parts(const LaplacePair& pair, Direction direction) {
  const double log_q = std::log(0.5), step = 1 / pair.noise;
  const double below = dampen(-step, pair.rate), above = dampen(step, pair.rate);
  if (direction == Direction::remove) return {{{below, log_q + below}, {above, log_q - step + above}}};
  return {{{-above, log_q - step}, {-below, log_q}}};
}

GridLoss discretise_pair(const LaplacePair& pair, Direction direction, double width, double tail,
                         const std::vector<Stride>& strides) {
  const LaplacePlaces places{pair, direction};
  const std::array<LossPoint, 2> flat = flat_parts(pair, direction);
  // If P is Laplace noise around 1 (in y), the probability below y is e^((y - 1) / noise) / 2.
  const bool mixed = direction == Direction::remove && pair.rate < 1;
  const double from = mixed ? 0 : std::max(0.0, 1 + pair.noise * std::log(2 * tail));
  const double least = from > 0 ? places.at(from).loss : flat[0].loss;
  if (!fits_memory(width, least, flat[1].loss)) return unknown_loss();
  Grid grid(width, least, flat[1].loss);
  if (from > 0)
    grid.add_least(tail);
  else
    grid.add_atom(flat[0].loss, std::exp(flat[0].log_p));
  grid.add_atom(flat[1].loss, std::exp(flat[1].log_p));
  add_smooth(grid, places, from, 1, strides);
  return grid.finish(0);
}

GridLoss discretise_pair(const DiscretePair& pair, Direction direction, double width, double tail,
                         const std::vector<Stride>&) {
  LossPoints atoms = loss_points(pair, direction, 0);
  // Points below tail / (number of points) can go: together they have at most `tail` at each end.
  const double log_least = std::log(tail / static_cast<double>(atoms.points.size()));
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const LossPoint& atom : atoms.points) {
    if (atom.log_p < log_least) continue;
    least = std::min(least, atom.loss);
    most = std::max(most, atom.loss);
  }
  if (!fits_memory(width, least, most)) return unknown_loss();
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

}  // namespace

GridLoss discretise(const Pair& pair, Direction direction, double width, double tail,
                    const std::vector<Stride>& strides) {
  return std::visit([&](const auto& p) { return discretise_pair(p, direction, width, tail, strides); }, pair);
}

}  // namespace tulle::account
