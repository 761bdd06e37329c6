#include "check.hpp"
#include "composed.hpp"
#include "constants.hpp"
#include "distance.hpp"
#include "loss_bound.hpp"
#include "rare.hpp"
#include "saddle.hpp"
#include "search.hpp"
#include "single.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/pld.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <map>

namespace tulle {
namespace {

using namespace account;

// ---- Planning.

// The window has at least this many points, and grows to the next size while its grid adds more than the
// share to epsilon: smaller windows are quick, so they may grow until hardly anything is lost.
constexpr std::size_t kLeastSize = std::size_t{1} << 12, kMostSize = std::size_t{1} << 21;
struct Effort {
  std::size_t size;
  double share;
};
constexpr std::array<Effort, 4> kEfforts = {{{std::size_t{1} << 18, 1e-9},
                                             {std::size_t{1} << 19, 5e-7},
                                             {std::size_t{1} << 20, 1e-6},
                                             {kMostSize, 1e-5}}};
// A grid that adds more than this share to epsilon, or errors that add more to delta, are not tight.
constexpr double kTightShare = 1e-5;
// Grid points to be computed for one direction, about a second's work. A composition that needs more is
// abandoned, and other bounds are used.
constexpr double kMostWork = 1e7;
// No tail is followed further than the points of SumOfLosses reach, 13 standard deviations.
constexpr double kLeastTail = 1e-37;
// Share of delta that cutting the tails and wrapping around the window may add.
constexpr double kCutShare = 1e-9;
// Indices of grids stay exact as doubles.
constexpr double kMostIndex = 1e15;

// The probability to cut from the tails of each loss.
double tail_for(double delta, double count) {
  return std::max(kCutShare * delta / count, kLeastTail);
}

// The point to be computed: delta near this one at an epsilon near this one.
struct Question {
  double epsilon, delta;
};

// The tilt to compute with, and the part of the line to compute on.
struct Frame {
  double theta, bottom, top;
  double length() const { return top - bottom; }
};

// How far below the epsilon in question a window must also be valid.
double used_below(double epsilon, double theta) {
  return std::max(0.02 * epsilon, 0.3 / theta);
}

// The shortest window for a tilt t. With W its length, B its top and all in untilted terms,
// - mass above it is lost, and P(L > B) is added to delta as a bound;
// - mass beyond epsilon + W re-enters from below, with the weight of a loss smaller by W: e^(t W)
//   P(L > epsilon + W), and likewise at every epsilon that the window is used for, down to `lowest`;
// - mass below it re-enters from above: e^(-t W) P(L < bottom).
// Each may add kCutShare to delta.
Frame frame_for(const SumOfLosses& sum, double theta, const Question& question, const Frame& all) {
  const double log_allowed = std::log(kCutShare * question.delta), epsilon = question.epsilon;
  const double lowest = epsilon - used_below(epsilon, theta);
  const Cumulants tilted = sum.at(theta);
  const double deviation = std::sqrt(tilted.variance), middle = std::clamp(tilted.mean, all.bottom, all.top);
  // Small strides at first, where most frames are found.
  double stride = 1.2;
  for (double reach = std::max(4 * deviation, 1e-9 * all.length()); reach < all.length(); reach *= stride) {
    if (reach > 64 * deviation) stride = 2;
    const Frame frame{theta, std::max(std::min(middle, epsilon) - reach, all.bottom),
                      std::max(middle, epsilon) + reach};
    const double length = frame.length();
    if (length >= all.length()) break;
    if (tilted.log + sum.upper_tail(theta, frame.top).log - theta * frame.top <= log_allowed &&
        tilted.log + sum.upper_tail(theta, lowest + length).log - theta * lowest <= log_allowed &&
        sum.lower_tail(0, frame.bottom).log - theta * length <= log_allowed)
      return frame;
  }
  return {theta, all.bottom, all.top};
}

// The saddle point's tilt is best if losses are many and small. If rare large losses decide, it moves most of
// the mass out to them; a smaller tilt, whose errors are larger but still small next to delta, then has a
// much shorter window.
Frame best_frame(const SumOfLosses& sum, double saddle, const Question& question, const Frame& all) {
  constexpr double kRounding = 3e-15, kRoundingShare = 1e-5;
  const Cumulants usual = sum.at(0);
  std::optional<Frame> best;
  for (double share : {1.0, 0.97, 0.93, 0.88, 0.82, 0.75, 0.65, 0.5, 0.35, 0.2}) {
    const double theta = share * saddle;
    const double log_error =
        std::log(kRounding * (10 + sum.count())) + sum.at(theta).log - theta * question.epsilon;
    if (best && log_error > std::log(kRoundingShare * question.delta)) break;
    const Frame frame = frame_for(sum, theta, question, all);
    if (!best || frame.length() < 0.8 * best->length()) best = frame;
    // Short enough: a further search gains too little.
    if (best->length() < 1.5 * (question.epsilon - usual.mean) + 12 * std::sqrt(usual.variance)) break;
  }
  return *best;
}

// Lowers the width of a grid so that it holds exactly the largest losses of the first release for which such
// a width exists.
double aligned(double width, const std::vector<Release>& releases) {
  for (const Release& release : releases) {
    const double natural = natural_width(release.pair);
    if (natural > 0) return width < natural ? natural / std::ceil(natural / width) : width;
  }
  return width;
}

bool bounded(const std::vector<Release>& releases) {
  for (const Release& release : releases) {
    const auto* discrete = std::get_if<DiscretePair>(&release.pair);
    if (!std::holds_alternative<LaplacePair>(release.pair) && !(discrete && discrete->cut == 0)) return false;
  }
  return true;
}

class Planner {
 public:
  Planner(const std::vector<Release>& releases, const SumOfLosses& sum, const PldOptions& options,
          const Question& question)
      : releases_(releases), sum_(sum), options_(options), tail_(tail_for(question.delta, sum.count())) {
    saddle_ = sum.theta_for_epsilon(question.epsilon);
    // No wider than the losses, with some room where the tails of the grid reach further than the points.
    const double room = (sum.largest() - sum.smallest()) * (bounded(releases) ? 1e-3 : 0.15);
    frame_ = best_frame(sum, saddle_, question,
                        {0, sum.smallest() - std::min(room, std::abs(sum.smallest())), sum.largest() + room});
    const Cumulants tilted = sum.at(frame_.theta);
    deviation_ = std::sqrt(tilted.variance / sum.count());
    // A small part of a standard deviation if epsilon is near 0; and a share of delta equals that share of 1
    // / theta in epsilon.
    unit_ = std::min(std::max(question.epsilon, 0.01 * std::sqrt(tilted.variance)), 1 / saddle_);
  }

  // Whether the computation is possible: finite values, and a grid that fits into memory. Losses of very
  // different sizes can prevent both.
  bool usable(const Plan& plan) const {
    return std::isfinite(plan.theta) && plan.width > 0 && std::isfinite(plan.width) &&
           std::isfinite(plan.upper_shift) && std::abs(plan.centre) / plan.width < kMostIndex &&
           plan.size <= kMostIndex && sum_.spread() / plan.width <= 4.0 * kMostSize;
  }

  // Many releases: the grid resolves the loss of one.
  Plan for_spectrum() const {
    constexpr double kPointsPerDeviation = 2048, kMostPoints = 1 << 18, kFinest = 1e-10, kShare = 5e-7;
    double width =
        std::max({deviation_ / kPointsPerDeviation, sum_.spread() / kMostPoints, width_for(kFinest)});
    if (share(width) > kShare) width = std::max(width_for(kShare), sum_.spread() / (4 * kMostPoints));
    return finish(options_.interval > 0 ? options_.interval : aligned(width, releases_));
  }

  // The grid resolves the sum of all losses.
  Plan for_window() const {
    std::size_t size = kLeastSize;
    double width = options_.interval;
    if (width == 0) {
      for (const Effort& effort : kEfforts)
        while (size < effort.size && frame_.length() / static_cast<double>(size) >
                                         width_for(std::max(effort.share, options_.share)))
          size *= 2;
      // A single loss must fit into memory too.
      width = std::max(frame_.length() / static_cast<double>(size - 8),
                       sum_.spread() / static_cast<double>(kMostSize));
      width = aligned(width, releases_);
    }
    Plan plan = finish(width);
    plan.size = std::max(kLeastSize, std::bit_ceil(plan.size));
    return plan;
  }

  double points() const { return static_cast<double>(sum_.points()); }

  // What a grid of this width adds, as a share of epsilon or of delta.
  double share(double width) const {
    const double whole = width_for(1);
    return width * width / (whole * whole);
  }

 private:
  // Splitting a loss between neighbours at distance h adds h^2/6 to its variance and keeps the mean of e^-L,
  // so ln E[e^(theta L)] grows by theta (theta + 1) h^2 / 12 and epsilon by (theta + 1) h^2 / 12, for each
  // release.
  double width_for(double share) const {
    return std::sqrt(12 * share * unit_ / (sum_.count() * (saddle_ + 1)));
  }

  Plan finish(double width) const {
    Plan plan{frame_.theta, width, (frame_.bottom + frame_.top) / 2, 0, tail_, 0, deviation_, {}};
    const double points = frame_.length() / width;
    plan.size = static_cast<std::size_t>(points >= 0 && points < kMostIndex ? points : kMostIndex) + 8;
    // A tilt that bounds the mass above the window, or next to the largest possible loss.
    const double end = sum_.largest() - 1e-3 * (sum_.largest() - sum_.smallest());
    plan.upper_shift = sum_.upper_tail(frame_.theta, std::min(frame_.top, end)).shift;
    for (std::size_t part = 0; part < releases_.size(); ++part)
      plan.strides.push_back(sum_.strides(part, frame_.theta, width));
    return plan;
  }

  const std::vector<Release>& releases_;
  const SumOfLosses& sum_;
  const PldOptions& options_;
  double tail_, saddle_ = 0, deviation_ = 0, unit_ = 0;
  Frame frame_{};
};

// A composition, and whether its grid is fine; empty if there is none.
struct Outcome {
  std::unique_ptr<Composed> composed;
  bool fine = false;
};

// `work`: grid points so far.
Outcome compose(const std::vector<Release>& releases, Direction direction, const SumOfLosses& sum,
                const PldOptions& options, const Question& question, double& work) {
  constexpr double kMany = 32;
  if (work > kMostWork) return {};
  const Planner planner(releases, sum, options, question);
  const auto parts = static_cast<double>(releases.size());
  work += planner.points() * 100;
  const auto fine = [&](const Plan& plan) { return planner.share(plan.width) <= kTightShare; };
  if (sum.count() >= kMany) {
    const Plan plan = planner.for_spectrum();
    if (planner.usable(plan)) {
      work += parts * sum.spread() / plan.width;
      if (auto composed = compose_spectrum(releases, direction, plan))
        return {std::move(composed), fine(plan)};
    }
  }
  const Plan plan = planner.for_window();
  if (planner.usable(plan) && plan.size <= kMostSize * 4) {
    work += parts * sum.spread() / plan.width + (parts + 1) * static_cast<double>(plan.size);
    return {compose_window(releases, direction, plan), fine(plan)};
  }
  if (options.interval > 0)
    fail("a grid of interval {} needs {} points for these releases; leave the interval to the accountant",
         options.interval, plan.size);
  return {};
}

// ---- Questions.

class Composition {
 public:
  Composition(std::span<const Event> events, Relation relation, const PldOptions& options)
      : options_(options) {
    if (options.interval != 0 && !(options.interval > 0 && options.interval < 1))
      fail_usage("a grid interval of {}; it must lie between 0 and 1", options.interval);
    bool both = false;
    for (const Event& event : events) {
      std::optional<Analysis> analysis = loss_analysis(event, relation);
      if (!analysis || !fits_grid(analysis->pair))
        fail("no privacy loss distribution is known for: {}; account by Renyi divergences", describe(event));
      const double count = static_cast<double>(event.count());
      count_ += count;
      distance_ += count * analysis->distance;
      both = both || !symmetric(analysis->pair);
      releases_.push_back({std::move(analysis->pair), count});
    }
    directions_ = both ? std::vector{Direction::remove, Direction::add} : std::vector{Direction::remove};
  }

  double distance() const { return distance_; }

  LossBound epsilon_upper(double delta) const {
    LossBound worst{0, true};
    for (Direction direction : directions_) {
      if (single()) {
        worst.value = std::max(worst.value, epsilon_of_one(direction, delta));
        continue;
      }
      const SumOfLosses sum = sum_of(direction, delta);
      if (sum.infinite() >= delta) return {kInfinity, false};
      if (std::isfinite(worst.value) && already_below(sum, worst.value, delta)) continue;
      worst = larger(worst, epsilon_upper(direction, sum, delta));
    }
    return worst;
  }

  LossBound delta_upper(double epsilon) const {
    LossBound worst{0, true};
    for (Direction direction : directions_) {
      if (single()) {
        worst.value = std::max(worst.value, delta_of_one(releases_[0].pair, direction, epsilon));
        continue;
      }
      if (worst.value > 0 && already_below(sum_of(direction, worst.value), epsilon, worst.value)) continue;
      worst = larger(worst, delta_upper(direction, epsilon));
    }
    return worst;
  }

 private:
  // The bound for both directions: the larger one, tight if that one is.
  static LossBound larger(const LossBound& a, const LossBound& b) { return b.value > a.value ? b : a; }

  SumOfLosses sum_of(Direction direction, double delta) const {
    SumOfLosses sum;
    for (const Release& release : releases_) {
      // A little further out than the grid, which keeps the points of a discrete pair down to their share of
      // the tail: a loss on the grid but not in the plan would wrap around the window unforeseen.
      const auto* discrete = std::get_if<DiscretePair>(&release.pair);
      const double share = discrete ? 0.5 / static_cast<double>(discrete->points.size() + 1) : 0.01;
      sum.add(release.pair, direction, release.count, share * tail_for(delta, count_));
    }
    return sum;
  }

  // The Chernoff bound on delta, with room for the error of its quadrature.
  static double rough_delta_upper(const SumOfLosses& sum, double epsilon) {
    const double theta = sum.theta_for_epsilon(epsilon);
    return 1.001 * (rdp_to_delta(sum.at(theta).log / theta, 1 + theta, epsilon) + sum.infinite());
  }

  // Whether that bound alone shows that this direction is not the worse one.
  static bool already_below(const SumOfLosses& sum, double epsilon, double delta) {
    return delta > 0 && rough_delta_upper(sum, epsilon) < delta;
  }

  // Basic composition: each release is (epsilon / count, delta_1)-private on its own. Nearly exact if losses
  // are so rare that there is hardly ever more than one.
  double basic_delta_upper(Direction direction, double epsilon) const {
    double sum = 0;
    for (const Release& release : releases_)
      sum += release.count * delta_of_one(release.pair, direction, epsilon / count_);
    return std::min(1.0, sum);
  }

  bool single() const { return releases_.size() == 1 && releases_[0].count == 1; }

  double epsilon_of_one(Direction direction, double delta) const {
    const auto holds = [&](double epsilon) {
      return delta_of_one(releases_[0].pair, direction, epsilon) <= delta;
    };
    if (holds(0)) return 0;
    double most = 1;
    while (!holds(most)) {
      if (most > 1e6) return kInfinity;
      most *= 2;
    }
    return last_place(most, 0, 1e-14, holds);
  }

  // Tries the epsilon expected if many losses decide; if it is not there, where it was found, and the one
  // expected if a single large loss decides.
  LossBound epsilon_upper(Direction direction, const SumOfLosses& sum, double delta) const {
    double place = std::max(0.0, sum.at(sum.theta_for_delta(delta - sum.infinite())).mean), best = kInfinity;
    const double if_one =
        last_place(sum.largest(), 0, 1e-2, [&](double e) { return sum.delta_of_largest(e) <= delta; });
    for (int attempt = 0; attempt < 6; ++attempt) {
      const auto [composed, fine] =
          compose(releases_, direction, sum, options_, {place, delta}, work_[direction]);
      if (!composed) break;
      if (composed->delta_upper(0) <= delta) return {0, true};
      const double epsilon = composed->epsilon_upper(delta);
      const bool better = epsilon > 0 && epsilon < best * (1 - 1e-6);
      if (epsilon > 0) best = std::min(best, epsilon);
      const bool tight =
          std::isfinite(epsilon) && composed->slack(epsilon) - sum.infinite() <= kTightShare * delta;
      const double below = used_below(place, sum.theta_for_epsilon(place));
      if (tight && epsilon < 1.5 * place && epsilon > place - below) return {best, fine};
      if (epsilon < 0)
        place /= 2;
      else if (better)
        place = epsilon;
      else if (place != if_one && if_one < best)
        place = if_one;
      else if (best == kInfinity)
        place *= 2;
      else
        break;
    }
    const double most = std::isfinite(best) ? best : count_ * if_one;
    return {least_of_others(direction, most, if_one, delta, best), false};
  }

  // The bound if the transforms are not tight: basic composition, and a single rare loss. `best` if they are
  // no better; `most`: no larger epsilon is tried.
  double least_of_others(Direction direction, double most, double scale, double delta, double best) const {
    if (!(scale > 0) || !(most > 0)) return best;
    const RareLosses rare(releases_, direction, scale, tail_for(delta, count_));
    const auto holds = [&](double epsilon) {
      return rare.delta_upper(epsilon) <= delta || basic_delta_upper(direction, epsilon) <= delta;
    };
    return holds(most) ? std::min(best, last_place(most, 0, 1e-6, holds)) : best;
  }

  LossBound delta_upper(Direction direction, double epsilon) const {
    // The probability to cut depends on delta, and a guess of delta depends on the cut.
    double guess = 0, best = basic_delta_upper(direction, epsilon);
    for (int step = 0; step < 2; ++step) {
      const SumOfLosses sum = sum_of(direction, guess);
      const double rough = rough_delta_upper(sum, epsilon);
      best = std::min(best, rough);
      if (best < kTiny) return {best, false};
      const double theta = sum.theta_for_epsilon(epsilon);
      guess = std::exp(std::clamp(SumOfLosses::log_delta(theta, sum.at(theta)), -600.0, 0.0));
      guess = std::min(rough, std::max(guess, sum.delta_of_largest(epsilon)) + sum.infinite());
    }
    double slack = kInfinity;
    bool fine = false;
    for (int attempt = 0; attempt < 4; ++attempt) {
      const SumOfLosses sum = sum_of(direction, guess);
      const Outcome outcome =
          compose(releases_, direction, sum, options_, {epsilon, std::max(guess, 1e-300)}, work_[direction]);
      if (!outcome.composed) break;
      const double found = outcome.composed->delta_upper(epsilon);
      const bool better = found < 0.9 * best;
      best = std::min(best, found);
      fine = outcome.fine;
      slack = outcome.composed->slack(epsilon) - sum.infinite();
      if (guess < 10 * best || !better) break;
      guess = best;
    }
    if (slack <= kTightShare * best) return {best, fine};
    if (slack <= 10 * kTightShare * best || epsilon == 0) return {best, false};
    const RareLosses rare(releases_, direction, epsilon, tail_for(best, count_));
    return {std::min(best, rare.delta_upper(epsilon)), false};
  }

  PldOptions options_;
  mutable std::map<Direction, double> work_;
  std::vector<Release> releases_;
  std::vector<Direction> directions_;
  double count_ = 0, distance_ = 0;
};

}  // namespace

namespace account {
namespace {

LossBound epsilon_bound(std::span<const Event> events, Relation relation, double delta,
                        const PldOptions& options) {
  check_delta(delta);
  if (events.empty()) return {0, true};
  const Composition composition(events, relation, options);
  bool tight = true;
  const double epsilon = charged_for_distance(composition.distance(), delta, [&](double left) {
    const LossBound bound = composition.epsilon_upper(left);
    tight = tight && bound.tight;
    return bound.value;
  });
  return {epsilon, tight && composition.distance() == 0};
}

LossBound delta_bound(std::span<const Event> events, Relation relation, double epsilon,
                      const PldOptions& options) {
  check_epsilon(epsilon);
  if (events.empty()) return {0, true};
  const Composition composition(events, relation, options);
  bool tight = true;
  const double delta = delta_with_distance(composition.distance(), epsilon, [&](double place) {
    const LossBound bound = composition.delta_upper(place);
    tight = tight && bound.tight;
    return bound.value;
  });
  return {delta, tight && composition.distance() == 0};
}

}  // namespace

LossBound loss_epsilon_upper(std::span<const Event> events, Relation relation, double delta) {
  return epsilon_bound(events, relation, delta, {});
}

LossBound loss_delta_upper(std::span<const Event> events, Relation relation, double epsilon,
                           const PldOptions& options) {
  return delta_bound(events, relation, epsilon, options);
}

}  // namespace account

double pld_epsilon_upper(std::span<const Event> events, Relation relation, double delta,
                         const PldOptions& options) {
  return epsilon_bound(events, relation, delta, options).value;
}

double pld_delta_upper(std::span<const Event> events, Relation relation, double epsilon,
                       const PldOptions& options) {
  return delta_bound(events, relation, epsilon, options).value;
}

}  // namespace tulle
