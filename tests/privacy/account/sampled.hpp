#pragma once

#include <tulle/privacy/account/event.hpp>

namespace tulle {

inline PoissonSampling poisson(double rate) {
  return PoissonSampling::what_if(rate);
}

inline Event sampled_gaussian(double rate, double noise, std::uint64_t steps) {
  return Event::gaussian(noise).sampled(poisson(rate)).times(steps);
}

}  // namespace tulle
