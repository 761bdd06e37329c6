// Random mixes of releases, at the extremes of every parameter: an answer is never below an independent
// reference, never above another valid bound, and a refusal says why.
//
// The reference knows the mechanisms, not the accountant. It looks at their outputs through bins, which is
// post-processing: delta of the binned outputs is a lower bound of delta, and close to it where bins are
// narrow.
//
// TULLE_MIXES sets how many mixes are drawn; with it the worst ratios and times are printed.
#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/composition.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace tulle {
namespace {

// ---- The reference.

// An outcome and its probabilities for two neighbours. In more digits than double, because what is looked for
// is the positive part of differences that cancel: for pure noise at its own epsilon, p and g q are alike in
// every bin.
using Real = long double;
struct Outcome {
  Real p, q;
};
using Outcomes = std::vector<Outcome>;

// The mechanism without the unit, with its worst contribution, and with the worst one in its place.
struct Triple {
  Real none, one, other;
};
using Triples = std::vector<Triple>;

Real normal_between(Real a, Real b) {
  // Where both are above 0, the difference of upper tails keeps its digits.
  const auto tail = [](Real t) { return std::erfc(t / std::numbers::sqrt2_v<Real>) / 2; };
  return a > 0 ? tail(a) - tail(b) : tail(-b) - tail(-a);
}

// Without cancellation: what is lost in a bin counts e^epsilon times.
Real laplace_between(Real a, Real b) {
  if (a >= 0) return -std::exp(-a) * std::expm1(a - b) / 2;
  if (b <= 0) return -std::exp(b) * std::expm1(a - b) / 2;
  return -(std::expm1(a) + std::expm1(-b)) / 2;
}

// Continuous noise of the given scale: bins of a part of it, around the three centres 0, 1 and -1.
template <class Between>
Triples binned(Real scale, double reach, double per_scale, const Between& between) {
  std::vector<Real> edges;
  const Real step = scale / per_scale;
  for (Real centre : {-1, 0, 1})
    for (Real x = -reach * scale; x <= reach * scale; x += step) edges.push_back(centre + x);
  std::ranges::sort(edges);
  Triples result;
  Real left = -INFINITY;
  const auto add = [&](Real right) {
    const auto mass = [&](Real centre) {
      return std::max<Real>(0, between((left - centre) / scale, (right - centre) / scale));
    };
    result.push_back({mass(0), mass(1), mass(-1)});
    left = right;
  };
  for (Real edge : edges)
    if (edge - left > 0.3L * step) add(edge);
  add(INFINITY);
  return result;
}

// Integer noise with these log weights, moved by whole numbers.
template <class LogWeight>
Triples integers(double reach, double shift, const LogWeight& log_weight) {
  Real sum = 0;
  for (double k = -reach; k <= reach; ++k) sum += std::exp(log_weight(k));
  const auto mass = [&](Real k) { return std::exp(log_weight(k)) / sum; };
  Triples result;
  for (double k = -reach - shift; k <= reach + shift; ++k)
    result.push_back({mass(k), mass(k - shift), mass(k + shift)});
  return result;
}

// The hardest (epsilon, delta)-private mechanism: three outcomes, and one that each input alone shows.
Triples response(Real epsilon, Real delta) {
  const Real a = std::exp(-epsilon) / (1 + std::exp(-epsilon)), keep = 1 - delta;
  const Real far = keep / (1 + std::exp(-epsilon)), near = keep * a * std::exp(-epsilon);
  return {
      {keep * a, far, near},
      {keep * a, near, far},
      {keep * (1 - 2 * a), keep * (1 - 2 * a) * std::exp(-epsilon), keep * (1 - 2 * a) * std::exp(-epsilon)},
      {delta, 0, 0},
      {0, delta, 0},
      {0, 0, delta}};
}

// Empty where the bins would be too many.
std::optional<Triples> triples(const Mechanism& mechanism, double per_scale) {
  if (const auto* m = std::get_if<GaussianRelease>(&mechanism))
    return binned(m->noise_multiplier, 12, per_scale, normal_between);
  if (const auto* m = std::get_if<LaplaceRelease>(&mechanism))
    return binned(m->noise_multiplier, 12, per_scale, laplace_between);
  if (const auto* m = std::get_if<DiscreteGaussianRelease>(&mechanism)) {
    if (m->coordinates > 1 || m->sigma > 60 || m->sensitivity > 200 ||
        m->sensitivity != std::floor(m->sensitivity))
      return std::nullopt;
    return integers(std::ceil(38 * m->sigma) + 2, m->sensitivity,
                    [&](Real k) { return -k * k / (2 * Real(m->sigma) * m->sigma); });
  }
  if (const auto* m = std::get_if<DiscreteLaplaceRelease>(&mechanism)) {
    if (m->scale > 60 || m->sensitivity > 200) return std::nullopt;
    return integers(std::ceil(36 * m->scale) + 2, static_cast<double>(m->sensitivity),
                    [&](Real k) { return -std::abs(k) / m->scale; });
  }
  const auto& m = std::get<Approximate>(mechanism);
  return response(m.epsilon, m.delta);
}

enum class Way { remove, add, replace };

// One release of an event as neighbours see it.
std::optional<Outcomes> outcomes(const Event& event, Way way, bool both_contributions, double per_scale) {
  if (std::holds_alternative<FixedBatch>(event.sampling())) return std::nullopt;
  const std::optional<Triples> all = triples(event.mechanism(), per_scale);
  if (!all) return std::nullopt;
  const auto* poisson = std::get_if<PoissonSampling>(&event.sampling());
  const Real rate = poisson ? poisson->rate() : 1;
  Outcomes result;
  for (const Triple& x : *all) {
    const Real with = (1 - rate) * x.none + rate * x.one;
    const Real other = both_contributions ? (1 - rate) * x.none + rate * x.other : x.none;
    result.push_back(way == Way::add ? Outcome{other, with} : Outcome{with, other});
  }
  // By the ratio of the probabilities.
  std::erase_if(result, [](const Outcome& x) { return x.p == 0; });
  std::ranges::sort(result, [](const Outcome& a, const Outcome& b) { return a.p * b.q > b.p * a.q; });
  return result;
}

// The sum of (p - g q)+ for every g, of outcomes in the order of their ratio, largest first.
class Excess {
 public:
  explicit Excess(const Outcomes& outcomes) : p_(outcomes.size() + 1), q_(p_) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      ratios_.push_back(static_cast<double>(outcomes[i].p / outcomes[i].q));
      p_[i + 1] = p_[i] + outcomes[i].p;
      q_[i + 1] = q_[i] + outcomes[i].q;
    }
  }

  double at(double g) const {
    const auto end = std::ranges::partition_point(ratios_, [&](double ratio) { return ratio > g; });
    const auto i = static_cast<std::size_t>(end - ratios_.begin());
    return static_cast<double>(std::max<Real>(0, p_[i] - (q_[i] > 0 ? g * q_[i] : 0)));
  }

 private:
  std::vector<double> ratios_;
  std::vector<Real> p_, q_;
};

// Delta of a few releases by the sum over all combinations of their outcomes, the last one summed up before.
double sum_over_all(const std::vector<Outcomes>& coarse, const Excess& last, std::size_t from, double p,
                    double q, double g) {
  if (p == 0) return 0;
  if (from == coarse.size()) return p * last.at(g * (q / p));
  Real sum = 0;
  for (const Outcome& x : coarse[from])
    sum +=
        sum_over_all(coarse, last, from + 1, p * static_cast<double>(x.p), q * static_cast<double>(x.q), g);
  return static_cast<double>(sum);
}

// Losses rounded down to multiples of a width, which makes delta smaller, and added up by direct convolution.
class RoundedDown {
 public:
  static constexpr std::int64_t kSize = 2048;

  RoundedDown(double width, std::int64_t first) : width_(width), first_(first), mass_(kSize, 0.0) {}

  void add(double loss, double p) {
    const double place = std::floor(below(loss / width_)) - static_cast<double>(first_);
    // What lies above is rounded down too; what lies below adds nothing that counts.
    if (place >= 0) mass_[static_cast<std::size_t>(std::min(place, double(kSize - 1)))] += p;
  }

  double delta(double epsilon) const {
    double sum = 0;
    for (std::int64_t i = 0; i < kSize; ++i) {
      const double loss = below(static_cast<double>(first_ + i) * width_);
      if (loss > epsilon) sum -= mass_[static_cast<std::size_t>(i)] * std::expm1(epsilon - loss);
    }
    return sum;
  }

  RoundedDown plus(const RoundedDown& other, std::int64_t first) const {
    RoundedDown result(width_, first);
    for (std::int64_t i = 0; i < kSize; ++i)
      for (std::int64_t j = 0; j < kSize; ++j) {
        const std::int64_t place = first_ + i + other.first_ + j - first;
        if (place >= 0)
          result.mass_[static_cast<std::size_t>(std::min(place, kSize - 1))] +=
              mass_[static_cast<std::size_t>(i)] * other.mass_[static_cast<std::size_t>(j)];
      }
    return result;
  }

 private:
  // Smaller than before it was rounded.
  static double below(double x) { return x - 1e-15 * std::abs(x); }

  double width_;
  std::int64_t first_;
  std::vector<double> mass_;
};

class Reference {
 public:
  Reference(const std::vector<Event>& events, Relation relation) {
    const std::vector<Way> ways =
        relation == Relation::replace ? std::vector{Way::replace} : std::vector{Way::remove, Way::add};
    for (Way way : ways) ways_.push_back({way, few(events, way), {}});
    if (events.size() == 1 && events[0].count() > 3)
      for (One& one : ways_) one.many = many(events[0], one.way);
  }

  // A lower bound of delta.
  double delta(double epsilon) const {
    double worst = 0;
    for (const One& one : ways_) {
      if (epsilon < 600)
        worst = std::max(worst, sum_over_all(one.few.coarse, one.few.last, 0, 1, 1, std::exp(epsilon)));
      if (one.many) worst = std::max(worst, one.many->delta(epsilon));
    }
    return std::max(0.0, worst - kRounding);
  }

 private:
  // What rounding may add. The distance t of an edge from a centre, in scales, is off by an epsilon of Real
  // of itself, which changes the probability of a bin by that times its density; the bins of one scale, 100
  // of them, and both of their edges add up. Where g q counts, t reaches from the other centre, up to the 745
  // scales beyond which Laplace densities vanish. A few roundings of double, each to a share of a sum of at
  // most 1, come on top: the masses of three releases, their products, and g.
  static constexpr double kRounding =
      4e-15 + 8 * 100 * 752 * static_cast<double>(std::numeric_limits<Real>::epsilon());

  struct Few {
    std::vector<Outcomes> coarse;
    Excess last;
  };
  struct One {
    Way way;
    Few few;
    std::optional<RoundedDown> many;
  };

  static bool both_contributions(const Event& event, Way way) {
    return way == Way::replace && std::holds_alternative<PoissonSampling>(event.sampling());
  }

  // Up to three releases of the mix: leaving out others makes delta smaller. Gaussians without sampling are
  // one release of less noise.
  static Few few(const std::vector<Event>& events, Way way) {
    std::vector<Event> chosen;
    double square = 0;
    for (const Event& event : events) {
      const auto* gaussian = std::get_if<GaussianRelease>(&event.mechanism());
      const auto count = static_cast<double>(event.count());
      if (gaussian && std::holds_alternative<Unsampled>(event.sampling()))
        square += count / (gaussian->noise_multiplier * gaussian->noise_multiplier);
      else
        for (double i = 0; i < std::min(count, 3.0); ++i) chosen.push_back(event);
    }
    if (square > 0) chosen.insert(chosen.begin(), Event::gaussian(1 / std::sqrt(square)));
    Few result{{}, Excess({{1, 1}})};
    bool has_last = false;
    for (const Event& event : chosen) {
      if (result.coarse.size() == 2) break;
      if (!has_last) {
        if (auto fine = outcomes(event, way, both_contributions(event, way), 100)) {
          result.last = Excess(*fine);
          has_last = true;
        }
      } else if (auto coarse = outcomes(event, way, both_contributions(event, way), 4)) {
        result.coarse.push_back(std::move(*coarse));
      }
    }
    return result;
  }

  // Up to 64 equal releases.
  static std::optional<RoundedDown> many(const Event& event, Way way) {
    const std::optional<Outcomes> all = outcomes(event, way, both_contributions(event, way), 100);
    if (!all) return std::nullopt;
    const auto loss_of = [](const Outcome& x) { return static_cast<double>(std::log(x.p / x.q)); };
    double mean = 0, square = 0;
    for (const Outcome& x : *all) {
      const double loss = std::clamp(loss_of(x), -700.0, 700.0), p = static_cast<double>(x.p);
      mean += p * loss;
      square += p * loss * loss;
    }
    const double deviation = std::sqrt(std::max(square - mean * mean, 1e-300));
    std::uint64_t doublings = 0;
    while (doublings < 6 && (std::uint64_t{2} << doublings) <= event.count()) ++doublings;
    const auto count = static_cast<double>(std::uint64_t{1} << doublings);
    const double width = 20 * deviation * std::sqrt(count) / RoundedDown::kSize;
    const auto first = [&](double n) {
      return static_cast<std::int64_t>(std::floor((n * mean - 6 * deviation * std::sqrt(count)) / width));
    };
    RoundedDown sum(width, first(1));
    for (const Outcome& x : *all) sum.add(x.q > 0 ? loss_of(x) : 1e9 * width, static_cast<double>(x.p));
    double n = 1;
    for (std::uint64_t i = 0; i < doublings; ++i) sum = sum.plus(sum, first(n *= 2));
    return sum;
  }

  std::vector<One> ways_;
};

// ---- Mixes.

struct Mix {
  std::vector<Event> events;
  Relation relation;
  double epsilon, delta;
};

std::string text(const Mix& mix) {
  std::string result = fmt::format("{}, epsilon {}, delta {}:", name(mix.relation), mix.epsilon, mix.delta);
  for (const Event& event : mix.events) result += fmt::format(" [{}]", describe(event));
  return result;
}

class Mixes {
 public:
  explicit Mixes(std::uint64_t seed) : random_(seed) {}

  Mix next() {
    constexpr Relation kRelations[] = {Relation::add_remove, Relation::replace, Relation::zero_out};
    Mix mix{{}, kRelations[random_.bits() % 3], any(1e-6, 2000), any(1e-18, 0.9)};
    if (random_.chance(0.3)) mix.epsilon = any(0.01, 20);
    if (random_.chance(0.1)) mix.epsilon = 0;
    const std::uint64_t kinds = 1 + random_.bits() % 4;
    for (std::uint64_t i = 0; i < kinds; ++i) join(mix.events, event(mix.relation));
    return mix;
  }

 private:
  // One in six or so lies at an end of its range; half are drawn from the middle of it.
  double any(double low, double high) {
    const double place = std::clamp(random_.uniform() * 1.2 - 0.1, 0.0, 1.0);
    return low * std::pow(high / low, place);
  }
  double noise() { return random_.chance(0.6) ? any(0.1, 50) : any(1e-4, 1e9); }

  Event mechanism() {
    switch (random_.bits() % 7) {
      case 0:
      case 1:
        return Event::gaussian(noise());
      case 2:
        return Event::laplace(noise());
      case 3: {
        const double sensitivity = std::floor(any(1, 20));
        return Event::discrete_gaussian(noise() * sensitivity, sensitivity, random_.chance(0.8) ? 1 : 100);
      }
      case 4: {
        const double sensitivity = std::floor(any(1, 1e4));
        return Event::discrete_laplace(noise() * sensitivity, static_cast<std::uint64_t>(sensitivity));
      }
      case 5:
        return Event::pure(1 / noise());
      default:
        return Event::approximate(1 / noise(), any(1e-15, 0.1));
    }
  }

  Event event(Relation relation) {
    Event result = mechanism();
    const double coin = random_.uniform();
    if (coin < 0.5)
      result = result.sampled(PoissonSampling::what_if(random_.chance(0.7) ? any(1e-3, 1) : any(1e-12, 1)));
    else if (coin < 0.57 && relation == Relation::replace)
      result = result.sampled(FixedBatch(static_cast<std::uint64_t>(any(1, 1e4)), 20000));
    const double count = random_.chance(0.6) ? any(1, 3) : random_.chance(0.8) ? any(1, 1e4) : any(1, 1e9);
    return result.times(static_cast<std::uint64_t>(count));
  }

  Random random_;
};

// Bounds that are valid on their own, beside those that the accountant is asked about.
struct Others {
  double renyi, parts;
};

// Each event on its own, with equal shares of delta.
double parts_epsilon(const Mix& mix) {
  double sum = 0;
  for (const Event& event : mix.events)
    sum += epsilon_upper({&event, 1}, mix.relation, mix.delta / static_cast<double>(mix.events.size())).value;
  return sum;
}

Others other_epsilons(const Mix& mix) {
  return {rdp_epsilon_upper(mix.events, mix.relation, mix.delta), parts_epsilon(mix)};
}

// Optimal composition of releases as private as the worst of them, where all are pure.
double optimal_epsilon(const Mix& mix) {
  double most = 0;
  std::uint64_t count = 0;
  for (const Event& event : mix.events) {
    const Event once = std::visit(
        [](const auto& m) {
          using M = std::decay_t<decltype(m)>;
          if constexpr (std::is_same_v<M, LaplaceRelease>)
            return Event::laplace(m.noise_multiplier);
          else if constexpr (std::is_same_v<M, DiscreteLaplaceRelease>)
            return Event::discrete_laplace(m.scale, m.sensitivity);
          else if constexpr (std::is_same_v<M, Approximate>)
            return Event::approximate(m.epsilon, m.delta);
          else
            return Event::gaussian(1);
        },
        event.mechanism());
    if (!std::holds_alternative<Unsampled>(event.sampling())) return INFINITY;
    most = std::max(most, epsilon_upper({&once, 1}, mix.relation, 0).value);
    count += event.count();
  }
  return std::isfinite(most) && count < 1'000'000'000 ? optimal_epsilon_upper(most, count, mix.delta)
                                                      : INFINITY;
}

// Where the accountant knows that it is this close to the exact value it asks no further.
constexpr double kTight = 2e-5;

struct Worst {
  double ratio = 0;
  std::string where;
  void see(double value, const std::string& place) {
    if (value <= ratio) return;
    ratio = value;
    where = place;
  }
};

TEST(Mixes, AnswersLieBetweenTheReferenceAndOtherBounds) {
  const char* asked = std::getenv("TULLE_MIXES");
  const int number = asked ? std::atoi(asked) : 12;
  Mixes mixes(2024);
  Worst slowest, below, above, loosest;
  int refused = 0, exact = 0;
  for (int i = 0; i < number; ++i) {
    const Mix mix = mixes.next();
    const std::string what = fmt::format("mix {}: {}", i, text(mix));
    SCOPED_TRACE(what);
    const auto timed = [&](const auto& call) {
      const std::clock_t start = std::clock();
      const Bound bound = call();
      const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      if (asked && took > 2) fmt::print("{:.1f} s by {}: {}\n", took, name(bound.how), what);
      slowest.see(took, what);
      return bound;
    };
    try {
      const Bound epsilon = timed([&] { return epsilon_upper(mix.events, mix.relation, mix.delta); });
      const Bound delta = timed([&] { return delta_upper(mix.events, mix.relation, mix.epsilon); });
      EXPECT_GE(epsilon.value, 0);
      EXPECT_GE(delta.value, 0);
      EXPECT_LE(delta.value, 1);
      EXPECT_LE(epsilon.delta, mix.delta);
      const Reference reference(mix.events, mix.relation);
      if (std::isfinite(epsilon.value)) {
        const double least = reference.delta(epsilon.value);
        EXPECT_LE(least, mix.delta * (1 + 1e-9))
            << "epsilon " << epsilon.value << " by " << name(epsilon.how);
        below.see(least / mix.delta, what);
      }
      const double least = reference.delta(mix.epsilon);
      EXPECT_GE(delta.value, least * (1 - 1e-9)) << name(delta.how);
      if (delta.value > 0) below.see(least / delta.value, what);
      if (least > 1e-12) {
        loosest.see(delta.value / least, what);
        ++exact;
      }
      const Others others = other_epsilons(mix);
      for (double other : {others.renyi, others.parts, optimal_epsilon(mix)}) {
        EXPECT_LE(epsilon.value, other * (1 + kTight)) << name(epsilon.how);
        if (std::isfinite(other) && other > 0) above.see(epsilon.value / other, what);
      }
      EXPECT_LE(delta.value,
                std::max(rdp_delta_upper(mix.events, mix.relation, mix.epsilon), 1e-300) * (1 + kTight));
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("finer grid"), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      ++refused;
    }
  }
  EXPECT_LE(refused, number / 4 + 4);
  if (!asked) return;
  fmt::print("{} mixes, {} refused, {} with a reference above 1e-12\n", number, refused, exact);
  for (const auto& [label, worst] : {std::pair("slowest, s", slowest),
                                     {"largest reference / answer", below},
                                     {"largest answer / other bound", above},
                                     {"largest delta / reference", loosest}})
    fmt::print("{}: {:.6g} at {}\n", label, worst.ratio, worst.where);
}

}  // namespace
}  // namespace tulle
