// The distance of a release's exact answers on two neighbouring data sets.
#pragma once

#include <tulle/privacy/additive_noise.hpp>

#include <vector>

namespace tulle {

// Their distance over `times` the sensitivity that the noise is calibrated to: above 1 is a violation. Never
// more than the true ratio.
double exact_ratio(const AdditiveNoise& noise, const std::vector<double>& a, const std::vector<double>& b,
                   double times = 1);

}  // namespace tulle
