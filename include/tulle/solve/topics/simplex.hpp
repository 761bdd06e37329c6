// From any numbers to a distribution.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

// The nearest point whose numbers are not negative and add up to 1 (Duchi et al. 2008).
Vector project_to_simplex(const Vector& point);

// What imtiaz2017 does instead: negative numbers become 0, then all are divided by their sum. Uniform when
// nothing is left.
Vector clip_and_normalise(const Vector& point);

}  // namespace tulle
