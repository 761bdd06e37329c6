// What it costs that the mechanism run is only close to the one analysed.
#pragma once

#include "search.hpp"

#include <cmath>
#include <limits>

namespace tulle::account {

// The least epsilon with delta_analysed(epsilon) + (1 + e^epsilon) distance <= delta, where `epsilon_at(d)`
// inverts delta_analysed. Infinite when there is none.
template <class EpsilonAt>
double charged_for_distance(double distance, double delta, const EpsilonAt& epsilon_at) {
  if (distance == 0) return epsilon_at(delta);
  // epsilon grows with the share s of delta that the distance gets, the share it needs grows with epsilon:
  // fixed point from below, at most a few steps as the distance is tiny or hopeless.
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

}  // namespace tulle::account
