// Gamma functions and Gamma-distributed random numbers, for fitting and synthetic data. Never for privacy
// noise.
#pragma once

#include <tulle/base/random.hpp>

namespace tulle {

// The first and the second derivative of log Gamma(x); x > 0. Accurate to about 1e-14, relative or absolute.
double digamma(double x);
double trigamma(double x);
// log Gamma(x), x > 0. std::lgamma would write its sign to a global that threads share.
double log_gamma(double x);

// Has mean `shape` and variance `shape` (Marsaglia and Tsang 2000).
double draw_gamma(Random& random, double shape);

}  // namespace tulle
