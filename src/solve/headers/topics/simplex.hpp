// From any numbers to a distribution.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

// Negative numbers become 0 and the rest is divided by its sum, as imtiaz2017 does: the point of the simplex
// nearest to these numbers, scaled so that the positive ones add up to 1. What scale they come in, which
// noise spoils most, plays no part. Uniform when no number is positive.
Vector nearest_distribution(const Vector& point);

}  // namespace tulle
