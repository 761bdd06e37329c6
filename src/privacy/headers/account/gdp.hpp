// Gaussian releases without sampling, exactly (Balle and Wang 2018; Dong, Roth and Su 2022). `mu` is the
// reciprocal of the noise multiplier, Delta_2 / sigma; releases compose to mu = sqrt(sum of mu_i^2).
//
// Each function evaluates the exact formula and adds a bound on its rounding error (a few units in the 15th
// digit).
#pragma once

namespace tulle {

double gaussian_delta_upper(double mu, double epsilon);
double gaussian_epsilon_upper(double mu, double delta);
// The largest mu that meets the target, rounded down.
double gaussian_mu_lower(double epsilon, double delta);

}  // namespace tulle
