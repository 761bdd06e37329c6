// Adaptive composition: what may still be spent, and what was spent, when each release, with its parameters,
// is chosen after seeing the ones before.
#pragma once

#include <tulle/privacy/account/accountant.hpp>

#include <span>

namespace tulle {

// A privacy filter. A run that releases only while this is at most budget_epsilon, and else stops, is
// (budget_epsilon, delta)-private, however the releases were chosen. Measures whose sums stay valid under
// full adaptivity, the least that applies:
// - pure releases: the sum of their epsilons;
// - Gaussian releases without sampling: GDP (Koskela, Tobaben, Honkela 2023);
// - any: Renyi divergence at an order that is fixed by (epsilon, delta) of the budget alone (Feldman and
//   Zrnic 2021).
// Which of the last two lets a release pass may depend on outcomes, so each has half of delta. The value at a
// time that depends on outcomes is not a guarantee: see the odometer.
Bound adaptive_epsilon_upper(std::span<const Event> events, Relation relation, double budget_epsilon,
                             double delta);

// A privacy odometer (Rogers, Roth, Ullman, Vadhan 2016; Whitehouse, Ramdas, Rogers, Wu 2023). With
// probability at least 1 - delta, at all times of a run simultaneously, the privacy loss of everything
// released so far is at most the odometer's value at that time; no budget is fixed, and the time at which it
// is read may depend on outcomes. It is larger than the filter's epsilon, and it is not a budget: an epsilon
// that depends on outcomes is not an (epsilon, delta)-guarantee.
//
// For each tilt t, e^(t loss) / e^(t D) is a supermartingale, D the sum of the Renyi divergences of order 1 +
// t; so is a mixture of them, and by Ville's inequality it ever reaches 1 / delta with probability delta at
// most.
double odometer_epsilon_upper(std::span<const Event> events, Relation relation, double delta);

}  // namespace tulle
