// Delta of a single release, in closed form.
#pragma once

#include "pair.hpp"

namespace tulle::account {

// The mean of (1 - e^(epsilon - L))+, where L is the privacy loss; rounded up. 1 for WithoutReplacement and
// Concentrated, whose losses are unknown.
double delta_of_one(const Pair& pair, Direction direction, double epsilon);

}  // namespace tulle::account
