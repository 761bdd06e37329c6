// Projection onto the probability simplex.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

// Sets negative values to 0 and divides the rest by their sum, as imtiaz2017 does: the point of the simplex
// nearest to the values once they are scaled so that the positive ones add up to 1. Their scale, which noise
// distorts most, has no effect. Uniform if no value is positive.
Vector nearest_distribution(const Vector& point);

}  // namespace tulle
