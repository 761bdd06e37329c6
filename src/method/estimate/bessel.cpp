#include "estimate/bessel.hpp"

#include <cmath>
#include <vector>

namespace tulle {
namespace {

constexpr double kNegligible = 1e-20;  // of the weight of the mode

}  // namespace

std::uint64_t draw_bessel(Random& random, std::uint64_t v, double a) {
  const double order = static_cast<double>(v), quarter = a * a / 4, inverse = 1 / quarter;
  const double mode = std::floor((std::sqrt(a * a + order * order) - order) / 2);
  // Weights relative to that of the mode: those below it, from the mode down, and those from it upwards.
  thread_local std::vector<double> below, above;
  below.clear();
  above.assign(1, 1);
  double total = 1;
  for (double y = mode, weight = 1; y > 0; --y) {
    weight *= y * (y + order) * inverse;  // P(y - 1) / P(y)
    if (weight < kNegligible) break;
    below.push_back(weight);
    total += weight;
  }
  for (double y = mode, weight = 1;; ++y) {
    weight *= quarter / ((y + 1) * (y + 1 + order));  // P(y + 1) / P(y)
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
  return static_cast<std::uint64_t>(mode);  // what rounding left over
}

}  // namespace tulle
