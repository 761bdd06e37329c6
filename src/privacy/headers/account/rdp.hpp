// Renyi differential privacy (Mironov 2017).
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/unit.hpp>

#include <span>

namespace tulle {

// The Renyi divergence of order `order` > 1 between neighbours, of all releases of `event`. Exact for
// Gaussian, Laplace and Poisson-sampled Gaussian (any real order), an upper bound for others; infinite if
// none is known.
double rdp_upper(const Event& event, Relation relation, double order);

// Converts the divergence at one order to (epsilon, delta): Canonne, Kamath, Steinke (2020), proposition 12.
double rdp_to_epsilon(double divergence, double order, double delta);
double rdp_to_delta(double divergence, double order, double epsilon);

// The least over the real orders.
double rdp_epsilon_upper(std::span<const Event> events, Relation relation, double delta);
double rdp_delta_upper(std::span<const Event> events, Relation relation, double epsilon);

}  // namespace tulle
