// Adaptive composition: bounds on what was spent, and on what may still be spent, when each release and its
// parameters are chosen after seeing the releases before it.
#pragma once

#include <tulle/privacy/account/accountant.hpp>

#include <span>

namespace tulle {

// A privacy filter. A run that makes a release only while this is at most budget_epsilon, and stops
// otherwise, is (budget_epsilon, delta)-private, however its releases were chosen. The result is the least of
// the measures that apply; their sums stay valid under full adaptivity:
// - pure releases: the sum of their epsilons;
// - Gaussian releases without sampling: GDP (Koskela, Tobaben, Honkela 2023);
// - any: Renyi divergence at an order that is fixed by (epsilon, delta) of the budget alone (Feldman and
//   Zrnic 2021).
// Which of the last two lets a release pass may depend on outcomes, so each gets half of delta. The value at
// a time that depends on outcomes is not a guarantee: see the odometer.
Bound adaptive_epsilon_upper(std::span<const Event> events, Relation relation, double budget_epsilon,
                             double delta);

// A privacy odometer (Rogers, Roth, Ullman, Vadhan 2016; Whitehouse, Ramdas, Rogers, Wu 2023). With
// probability at least 1 - delta, the privacy loss of everything released so far is at most the odometer's
// value, at all times of a run simultaneously: no budget is fixed, and the time of reading may depend on
// outcomes. The value is larger than the filter's epsilon, and it is not a budget: an epsilon that depends on
// outcomes is not an (epsilon, delta)-guarantee.
//
// For each tilt t, e^(t loss) / e^(t D) is a supermartingale, where D is the sum of the Renyi divergences of
// order 1 + t. So is a mixture of them; by Ville's inequality it ever reaches 1 / delta with probability at
// most delta.
double odometer_epsilon_upper(std::span<const Event> events, Relation relation, double delta);

}  // namespace tulle
