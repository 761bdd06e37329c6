// The cost of running a mechanism that is only close to the analysed one.
#pragma once

#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::account {

// The least epsilon with delta_analysed(epsilon) + (1 + e^epsilon) distance <= delta, where `epsilon_at(d)`
// inverts delta_analysed. Infinite if there is none.
template <class EpsilonAt>
double charged_for_distance(double distance, double delta, const EpsilonAt& epsilon_at) {
  if (distance == 0) return epsilon_at(delta);
  // epsilon grows with the share of delta that the distance gets, and the share it needs grows with epsilon:
  // a fixed point from below, which takes a few steps at most since the distance is tiny or hopeless.
  double epsilon = epsilon_at(delta);
  for (int step = 0; step < 60; ++step) {
    // A little more than needed, so that the sequence ends.
    const double left = delta - (1 + std::exp(epsilon + 1e-9 * (1 + epsilon))) * distance;
    if (!(left > 0)) break;
    const double next = epsilon_at(left);
    if (next <= epsilon + 1e-9 * (1 + epsilon)) return epsilon + 1e-9 * (1 + epsilon);
    epsilon = next;
  }
  return std::numeric_limits<double>::infinity();
}

// The least delta_at(e) + (1 + e^e) distance found for e <= epsilon: a delta holds for every larger epsilon
// too, and if e^epsilon is huge the distance must not be charged with it. The first term falls and the second
// grows with e, so the sum is least, up to a factor of 2, where they are equal.
template <class DeltaAt>
double delta_with_distance(double distance, double epsilon, const DeltaAt& delta_at) {
  const auto charge = [&](double e) { return (1 + std::exp(e)) * distance; };
  const double whole = delta_at(epsilon);
  if (distance == 0) return std::min(1.0, whole);
  double best = whole + charge(epsilon);
  if (charge(epsilon) <= 1e-3 * whole) return std::min(1.0, best);
  constexpr double kWidth = 0.01;
  double low = 0, high = std::min(epsilon, std::max(0.0, -std::log(distance)));
  while (high - low > kWidth) {
    const double middle = (low + high) / 2, delta = delta_at(middle);
    best = std::min(best, delta + charge(middle));
    (delta > charge(middle) ? low : high) = middle;
  }
  return std::min(1.0, best);
}

}  // namespace tulle::account
