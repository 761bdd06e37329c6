#include "estimate/bessel.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

constexpr double kNegligible = 1e-20;  // of the weight of the mode
constexpr double kFewBelow = 32;       // largest mode for which all weights are added up

// Weights relative to that of the mode: those below it, from the mode down, and those from it upwards.
std::uint64_t draw_by_inversion(Random& random, double order, double quarter, double mode) {
  thread_local std::vector<double> below, above;
  below.clear();
  above.assign(1, 1);
  double total = 1;
  const double inverse = 1 / quarter;
  const auto last = static_cast<int>(mode);
  double weight = 1;
  for (int y = last; y > 0; --y) {
    weight *= y * (y + order) * inverse;  // P(y - 1) / P(y)
    if (weight < kNegligible) break;
    below.push_back(weight);
    total += weight;
  }
  weight = 1;
  for (int y = last + 1;; ++y) {
    weight *= quarter / (y * (y + order));  // P(y) / P(y - 1)
    if (!(weight >= kNegligible)) break;
    above.push_back(weight);
    total += weight;
  }
  double left = random.uniform() * total;
  for (std::size_t i = 0; i < above.size(); ++i) {
    left -= above[i];
    if (left < 0) return static_cast<std::uint64_t>(mode) + i;
  }
  for (std::size_t i = 0; i < below.size(); ++i) {
    left -= below[i];
    if (left < 0) return static_cast<std::uint64_t>(mode) - 1 - i;
  }
  return static_cast<std::uint64_t>(mode);  // reached by rounding errors only
}

// log Gamma(x + d) - log Gamma(x) - d log x by Stirling's series: no large numbers that cancel.
double log_rising(double x, double d) {
  const auto rest = [](double at) { return (1 - 1 / (30 * at * at)) / (12 * at); };
  return (x + d - 0.5) * std::log1p(d / x) - d + rest(x + d) - rest(x);
}

// The probabilities are log-concave: their ratios P(y + 1) / P(y) fall. So the probabilities beyond a point
// are bounded by a geometric sequence with the ratio there, and those between two points around the mode by
// P(mode). With points one standard deviation from it, four draws of five are accepted.
class BesselHat {
 public:
  BesselHat(double order, double quarter, double mode)
      : order_(order),
        mode_(mode),
        slope_(std::log(quarter / ((mode + 1) * (mode + 1 + order)))),
        reach_(std::ceil(1 / std::sqrt(1 / (mode + 1) + 1 / (mode + 1 + order)))),
        rising_(quarter / ((mode + reach_ + 1) * (mode + reach_ + 1 + order))),
        falling_((mode - reach_) * (mode - reach_ + order) / quarter),
        above_(std::exp(log_weight(reach_)) * rising_ / (1 - rising_)),
        below_(std::exp(log_weight(-reach_)) * falling_ / (1 - falling_)) {}

  std::uint64_t draw(Random& random) const {
    while (true) {
      const auto [d, log_bound] = propose(random);
      if (mode_ + d >= 0 && std::log(1 - random.uniform()) < log_weight(d) - log_bound)
        return static_cast<std::uint64_t>(mode_ + d);
    }
  }

 private:
  struct Proposal {
    double d;  // from the mode
    double log_bound;
  };

  // log of P(mode + d) / P(mode).
  double log_weight(double d) const {
    return d * slope_ - log_rising(mode_ + 1, d) - log_rising(mode_ + 1 + order_, d);
  }

  Proposal propose(Random& random) const {
    const double centre = 2 * reach_ + 1, at = random.uniform() * (centre + above_ + below_);
    if (at < centre) return {std::min(std::floor(at), centre - 1) - reach_, 0};
    const bool up = at < centre + above_;
    const double log_ratio = std::log(up ? rising_ : falling_);
    const double beyond = 1 + std::floor(std::log(1 - random.uniform()) / log_ratio);
    const double end = up ? reach_ : -reach_;
    return {end + (up ? beyond : -beyond), log_weight(end) + beyond * log_ratio};
  }

  double order_, mode_;
  double slope_;
  double reach_;             // of the two points from the mode
  double rising_, falling_;  // ratios beyond them
  double above_, below_;     // sums of the bounds there
};

}  // namespace

std::uint64_t draw_bessel(Random& random, std::uint64_t v, double a) {
  const double order = static_cast<double>(v), quarter = a * a / 4;
  const double mode = std::floor((std::sqrt(a * a + order * order) - order) / 2);
  if (mode < kFewBelow) return draw_by_inversion(random, order, quarter, mode);
  return BesselHat(order, quarter, mode).draw(random);
}

}  // namespace tulle
