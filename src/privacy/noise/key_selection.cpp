#include "noise/check.hpp"
#include "noise/exact.hpp"

#include <tulle/privacy/noise/key_selection.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

constexpr auto kChoice = "choice of keys";
constexpr int kBits = 125;  // probabilities are multiples of 2^-125
constexpr std::size_t kMostNumbers = std::size_t{1} << 22;

double up(double value) {
  return std::nextafter(value, HUGE_VAL);
}
double down(double value) {
  return std::nextafter(value, -HUGE_VAL);
}

double multiple_up(double probability) {
  return std::ldexp(std::ceil(std::ldexp(probability, kBits)), -kBits);
}
double multiple_down(double probability) {
  return std::ldexp(std::floor(std::ldexp(probability, kBits)), -kBits);
}

// Bounds of what one more unit may change. The exponential function is exact to one unit in the last place.
struct Step {
  double grow, shrink, delta;  // exp(e) from below, exp(-e) from above

  Step(double epsilon, double of_delta)
      : grow(down(down(std::exp(epsilon)))), shrink(up(up(std::exp(-epsilon)))), delta(of_delta) {}

  double most_shown(double shown) const { return multiple_down(down(std::fma(grow, shown, delta))); }
  double least_hidden(double hidden) const {
    return hidden <= delta ? 0 : multiple_up(up(shrink * up(hidden - delta)));
  }
};

// Whether `shown` is at most 1 - `hidden`, exactly: both are at most 1, so the rounding error of the
// difference is a double.
bool within(double shown, double hidden) {
  const double difference = 1 - hidden, error = (1 - difference) - hidden;
  return shown < difference || (shown == difference && error >= 0);
}

exact::Wide in_parts(double probability) {
  constexpr int kHalf = 62;
  const double high = std::floor(std::ldexp(probability, kBits - kHalf));
  const double low = std::ldexp(probability, kBits) - std::ldexp(high, kHalf);
  return (static_cast<exact::Wide>(high) << kHalf) + static_cast<exact::Wide>(low);
}

bool coin(double probability, RandomBits& bits) {
  return exact::bernoulli(bits, in_parts(probability), exact::Wide{1} << kBits);
}

}  // namespace

KeySelection KeySelection::of(double epsilon, double delta, std::uint64_t keys) {
  checked_positive(kChoice, "epsilon", epsilon);
  checked_positive(kChoice, "delta", delta);
  checked_between(kChoice, "delta", delta, 0.0, 1.0);
  checked_between<std::uint64_t>(kChoice, "keys of a unit", keys, 1, std::uint64_t{1} << 40);
  KeySelection selection;
  selection.epsilon_ = epsilon, selection.delta_ = delta;
  const auto parts = static_cast<double>(keys);
  const Step step(down(epsilon / parts), down(delta / parts));
  std::vector<double>&shown = selection.shown_, &hidden = selection.hidden_;
  const auto check_length = [&] {
    if (shown.size() + hidden.size() > kMostNumbers)
      fail_usage("{}: an epsilon of {:g} for {} keys of a unit is too little; let fewer rows of a user count",
                 kChoice, epsilon, keys);
  };
  if (!(step.most_shown(0) > 0))
    fail_usage("{}: a delta of {:g} for {} keys of a unit is too little; give more than 2^-{} for each",
               kChoice, delta, keys, kBits);
  shown.push_back(0);
  double left = 1;  // at least the probability that a key of so many units is not shown
  for (;; check_length()) {
    const double grown = step.most_shown(shown.back());
    left = step.least_hidden(up(1 - shown.back()));
    if (!within(grown, left)) break;
    shown.push_back(grown);
  }
  for (; left > 0; check_length()) {
    hidden.push_back(left);
    left = step.least_hidden(left);
  }
  return selection;
}

double KeySelection::shown(double units) const {
  const auto most = static_cast<double>(shown_.size());
  return units < most ? shown_[static_cast<std::size_t>(std::max(0.0, units))] : 1 - hidden(units);
}

double KeySelection::hidden(double units) const {
  const auto most = static_cast<double>(shown_.size());
  if (units < most) return 1 - shown(units);
  return units < most + static_cast<double>(hidden_.size()) ? hidden_[static_cast<std::size_t>(units - most)]
                                                            : 0;
}

std::uint64_t KeySelection::even_chance() const {
  std::uint64_t units = 0;
  while (shown(static_cast<double>(units)) < 0.5) ++units;
  return units;
}

bool KeySelection::shows(double units, RandomBits& bits) const {
  const bool few = units < static_cast<double>(shown_.size());
  return few ? coin(shown(units), bits) : !coin(hidden(units), bits);
}

double KeySelection::delta_between(std::span<const double> units, std::span<const double> others) const {
  constexpr std::size_t kMost = 16;
  std::vector<std::size_t> differing;
  for (std::size_t key = 0; key < units.size(); ++key)
    if (units[key] != others[key]) differing.push_back(key);
  if (differing.size() > kMost) return std::numeric_limits<double>::infinity();
  const double most = std::exp(epsilon_);
  double beyond = 0, beyond_others = 0;
  for (std::uint64_t set = 0; set >> differing.size() == 0; ++set) {
    double one = 1, other = 1;
    for (std::size_t i = 0; i < differing.size(); ++i) {
      const std::size_t key = differing[i];
      const bool in = (set >> i & 1) != 0;
      one *= in ? shown(units[key]) : hidden(units[key]);
      other *= in ? shown(others[key]) : hidden(others[key]);
    }
    beyond += std::max(0.0, one - most * other);
    beyond_others += std::max(0.0, other - most * one);
  }
  return std::max(beyond, beyond_others);
}

void release(std::span<double> units, const KeySelection& selection, RandomBits& bits) {
  for (double& number : units) number = selection.shows(number, bits) ? 1 : 0;
}

}  // namespace tulle
