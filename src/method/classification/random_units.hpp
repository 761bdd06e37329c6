// A hidden layer of random units, which are not learned: max(0, w x + b) with w and b normal, for centred
// vectors x of norm 1 or less. A linear classifier on many of them is a kernel machine (Rahimi and Recht
// 2008; Cho and Saul 2009).
#pragma once

#include <tulle/method/classification.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace tulle {

struct RandomUnits {
  NetworkLayer layer;  // multiplies x, with the centre of x in the bias
  FloatVector means;   // expected values of the units
  float scale;         // makes the expected squared norm of centred units kUnitNorm^2

  // Units of every row of x, centred and scaled.
  FloatMatrix of(const FloatMatrix& x) const;
};

// The norm of the units of a typical example. Large against 1, so that the bias of the next layer, whose
// input is 1, takes little of a clipped gradient.
inline constexpr double kUnitNorm = 3;

// `centre`: the mean of x. Expected values and the scale are those of vectors x of norm 1; the norm of
// others is in proportion, but for the offsets.
RandomUnits random_units(const FloatVector& centre, int units, std::uint64_t seed);

// The network whose first layer are the units, given a second layer for centred and scaled ones.
std::vector<NetworkLayer> joined(const RandomUnits& units, NetworkLayer last);

// Values x of d features with variance 1, beside random units of x / sqrt(d): either with half of the squared
// norm, which is about d.
struct ValuesAndUnits {
  RandomUnits units;

  FloatMatrix of(const FloatMatrix& x) const;
};

// The network for x, given a last layer for both. Scores s of the values alone pass the hidden layer as
// max(0, s) - max(0, -s).
std::vector<NetworkLayer> joined(const ValuesAndUnits& both, const NetworkLayer& last);

// Before anything is planned or paid for: a UsageError unless layers and activation are those of random units
// or of none.
void check_random_units(const ClassificationRequest& request, std::string_view method);
// The number of units that was asked for, if any was; 0: none.
std::optional<int> units_asked(const ClassificationOptions& options);

}  // namespace tulle
