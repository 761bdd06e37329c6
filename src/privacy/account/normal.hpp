// Tails of the normal distribution, without underflow.
#pragma once

#include "constants.hpp"
#include "quadrature.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace tulle::account {

inline constexpr double kLogSqrt2Pi = 0.91893853320467274178;

inline double upper_tail(double t) {
  return 0.5 * std::erfc(t / std::numbers::sqrt2);
}

// c of the Mills ratio R(t) = (upper tail) / (density) = 1 / (t + c), c = 1 / (t + 2 / (t + 3 / (t + ...))),
// for t >= 3.
inline double mills_rest(double t) {
  double rest = 0;
  for (int term = 120; term >= 1; --term) rest = term / (t + rest);
  return rest;
}

inline double mills(double t) {
  if (t >= 3) return 1 / (t + mills_rest(t));
  return upper_tail(t) * std::exp(t * t / 2 + kLogSqrt2Pi);
}

// -R'(t) = 1 - t R(t), without cancellation.
inline double mills_fall(double t) {
  if (t < 3) return 1 - t * mills(t);
  const double rest = mills_rest(t);
  return rest / (t + rest);
}

// ln of (upper tail of a) - (density of a) R(b), for the ends a = middle - half and b = middle + half >= 0 of
// an interval: the excess of the tail over the one that is shifted by 2 half and scaled so that their
// densities meet. It is density(a) (R(a) - R(b)). If the interval is short, the difference of the ratios is
// the integral of a positive function, so nothing cancels, though the ends of the interval may.
inline double log_tail_excess(double middle, double half) {
  const double a = middle - half, b = middle + half, log_density = -a * a / 2 - kLogSqrt2Pi;
  if (half < 0.25) return log_density + std::log(gauss_legendre_around(middle, half, mills_fall));
  // R = 1 / (t + c): the difference is R(a) R(b) (b - a - (c(a) - c(b))), of which at least 8/9 remains.
  if (a >= 3) return log_density + std::log(mills(a) * mills(b) * (2 * half + mills_rest(b) - mills_rest(a)));
  if (a > 0) return log_density + std::log(mills(a) - mills(b));
  return std::log(upper_tail(a) - std::exp(log_density) * mills(b));
}

// The same plus a bound on rounding: the ends and their squares carry a few units each, the rest less than
// 128.
inline double log_tail_excess_upper(double middle, double half) {
  constexpr double kFar = 1e6;
  const double a = middle - half, b = middle + half;
  if (a > kFar) return -kFar * kFar / 4;  // the tail is below e^(-a^2 / 2), far below what a double can hold
  return log_tail_excess(middle, half) + kUnit * (128 + 4 * a * a + 4 * std::abs(a) * b);
}

}  // namespace tulle::account
