#include <tulle/base/gamma.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr double kAsymptotic = 12;  // from here on the series below have an error below 1e-16

}  // namespace

double digamma(double x) {
  double result = 0;
  while (x < kAsymptotic) {
    result -= 1 / x;
    ++x;
  }
  const double y = 1 / (x * x);
  const double series =
      y *
      (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132 - y * 691 / 32760)))));
  return result + std::log(x) - 0.5 / x - series;
}

double trigamma(double x) {
  double result = 0;
  while (x < kAsymptotic) {
    result += 1 / (x * x);
    ++x;
  }
  const double y = 1 / (x * x);
  const double series =
      y * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30 - y * (5.0 / 66 - y * 691 / 2730)))));
  return result + (1 + 0.5 / x + series) / x;
}

double log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

double draw_gamma(Random& random, double shape) {
  // Gamma(shape) is Gamma(shape + 1) times a power of a uniform number.
  if (shape < 1) return draw_gamma(random, shape + 1) * std::pow(1 - random.uniform(), 1 / shape);
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.normal(), root = 1 + c * x, v = root * root * root;
    if (!(v > 0)) continue;
    const double u = 1 - random.uniform(), square = x * x;
    if (u < 1 - 0.0331 * square * square) return d * v;  // implies the test below, without its logarithms
    if (std::log(u) < 0.5 * square + d * (1 - v + std::log(v))) return d * v;
  }
}

}  // namespace tulle
