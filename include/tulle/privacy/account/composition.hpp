// Composition theorems in closed form. The accountant uses the exact ones; the others are here to reproduce
// papers.
#pragma once

#include <cstdint>

namespace tulle {

// Optimal composition of `count` releases, each epsilon-private (Kairouz, Oh, Viswanath 2015, theorem 3.3).
double optimal_epsilon_upper(double epsilon, std::uint64_t count, double delta);
double optimal_delta_upper(double epsilon, std::uint64_t count, double total_epsilon);

// Advanced composition (Dwork, Rothblum, Vadhan 2010): epsilon of k = `count` epsilon-private releases is
// sqrt(2 k ln(1/slack)) e + k e (exp(e) - 1); their total delta grows by `slack`.
double advanced_epsilon_upper(double epsilon, std::uint64_t count, double slack);

// Zero-concentrated privacy. rho of a Gaussian is 1 / (2 m^2) for the noise multiplier m; rhos add up.
double zcdp_of_gaussian(double noise_multiplier);
// Bun and Steinke (2016): epsilon = rho + 2 sqrt(rho ln(1/delta)), and its exact inverse, the largest rho for
// a target.
double zcdp_epsilon_simple(double rho, double delta);
double zcdp_rho_simple(double epsilon, double delta);
// Canonne, Kamath, Steinke (2020): the tight conversion, optimised over the real order.
double zcdp_epsilon_upper(double rho, double delta);
double zcdp_delta_upper(double rho, double epsilon);

}  // namespace tulle
