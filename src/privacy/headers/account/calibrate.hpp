// Finds parameters that meet a target; the accountant has checked that every returned value does.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/unit.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace tulle {

struct Target {
  double epsilon, delta;
};

// The least noise that meets the target, to a relative accuracy of 1e-6. `event(noise)` is the release (or
// the releases) with this noise; the more noise, the more private.
double noise_for(const Target& target, Relation relation, const std::function<Event(double noise)>& event);
double noise_for(const Target& target, Relation relation,
                 const std::function<std::vector<Event>(double noise)>& events);

// The least noise multiplier of `steps` Gaussian releases, without sampling (exact) or with it.
double gaussian_noise_for(const Target& target, std::uint64_t steps = 1);
double gaussian_noise_for(const Target& target, Relation relation, const PoissonSampling& sampling,
                          std::uint64_t steps);

// How often `event` can be released within the target; 0 if once is too often.
std::uint64_t steps_for(const Target& target, Relation relation, const Event& event);

// The largest rate at which `steps` sampled releases of `event` meet the target; an Error if no rate does.
double rate_for(const Target& target, Relation relation, const Event& event, std::uint64_t steps);

}  // namespace tulle
