// Adaptive composition: what may still be spent when each release, with its parameters, is chosen after
// seeing the ones before.
#pragma once

#include <tulle/privacy/account/accountant.hpp>

#include <span>

namespace tulle {

// Epsilon at `delta` by measures whose sums stay valid under full adaptivity, the least that applies:
// - pure releases: the sum of their epsilons;
// - Gaussian releases without sampling: GDP (Koskela, Tobaben, Honkela 2023);
// - any: Renyi divergence at an order that is fixed by (epsilon, delta) of the budget alone (Feldman and
// Zrnic 2021).
Bound adaptive_epsilon_upper(std::span<const Event> events, Relation relation, double budget_epsilon,
                             double delta);

}  // namespace tulle
