// Tails of the normal distribution, without underflow.
#pragma once

#include <cmath>
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

}  // namespace tulle::account
