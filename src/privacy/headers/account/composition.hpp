// Composition theorems in closed form.
#pragma once

#include <cstdint>

namespace tulle {

// Optimal composition of `count` releases, each epsilon-private (Kairouz, Oh, Viswanath 2015, theorem 3.3).
double optimal_epsilon_upper(double epsilon, std::uint64_t count, double delta);
double optimal_delta_upper(double epsilon, std::uint64_t count, double total_epsilon);

// Zero-concentrated privacy: the largest rho for a target, by epsilon = rho + 2 sqrt(rho ln(1/delta)) (Bun
// and Steinke 2016).
double zcdp_rho_simple(double epsilon, double delta);

}  // namespace tulle
