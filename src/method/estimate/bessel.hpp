// The Bessel distribution (Yuan and Kalbfleisch 2000): of y in 0, 1, .. with probability proportional to
// (a/2)^(2y+v) / (y! Gamma(y+v+1)). Given the difference v of two Poisson variables with rates whose product
// is (a/2)^2, it is the smaller of them.
#pragma once

#include <tulle/base/random.hpp>

#include <cstdint>

namespace tulle {

// v whole and 0 or more, a 0 or more. In a time that does not grow with either.
std::uint64_t draw_bessel(Random& random, std::uint64_t v, double a);

}  // namespace tulle
