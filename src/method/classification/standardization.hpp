// Where the values of features lie and how far they spread, from one release.
//
// Values are u in [-1, 1], the public range.
// Release:         the number of examples of every class and, per feature, the sums of u and u^2, both over
//                  the root of the number of features d. An example adds a vector of norm sqrt(3) at most.
//                  Replaced by another one, it changes the counts by sqrt(2) and sum and square of a feature
//                  by (u - v)^2 + (u^2 - v^2)^2 <= (2 - s)^2 (1 + s^2) <= 4 over d, for s = |u + v| and |u -
//                  v| <= 2 - s: by sqrt(6) at most together. Steps of the grid come on top.
// After that free: means and variances, shrunk by their known noise.
#pragma once

#include <tulle/method/classification.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/tensor/float_matrix.hpp>
#include <tulle/tensor/matrix.hpp>

namespace tulle {

struct Standardization {
  double examples;            // public, or estimated
  Vector shares;              // of the classes, all above 0
  FloatVector centre, scale;  // of values in [0, 1]

  // (x - centre) * scale: of variance about 1.
  FloatMatrix of(const FloatMatrix& prepared) const;
};

// `noise`: the multiplier of the release.
Standardization release_standardization(const ClassificationRequest& request, Curator& curator, double noise);

}  // namespace tulle
