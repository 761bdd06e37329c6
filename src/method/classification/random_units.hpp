// A hidden layer of random units, which nothing is learned for: max(0, w x + b) with w and b normal, of
// centred vectors x of norm 1 or less. A linear classifier on many of them is a kernel machine (Rahimi and
// Recht 2008; Cho and Saul 2009).
#pragma once

#include <tulle/model/network.hpp>

#include <cstdint>

namespace tulle {

struct RandomUnits {
  NetworkLayer layer;  // what x is multiplied by, with the centre of x in the bias
  FloatVector means;   // expected values of the units
  float scale;         // makes the expected squared norm of centred units kUnitNorm^2

  // Units of every row of x, centred and scaled.
  FloatMatrix of(const FloatMatrix& x) const;
};

// The norm of the units of a typical example. Large against 1, so that the bias of the next layer, whose
// input is 1, takes little of a clipped gradient.
inline constexpr double kUnitNorm = 3;

// `centre`: the mean of x. Expected values and the scale are those of vectors x of norm 1; the norm of
// shorter ones (values that are not images have norm 1 at most) is smaller in proportion, but for the
// offsets.
RandomUnits random_units(const FloatVector& centre, int units, std::uint64_t seed);

// The network whose first layer are the units, given a second layer for centred and scaled ones.
std::vector<NetworkLayer> joined(const RandomUnits& units, NetworkLayer last);

}  // namespace tulle
