// Multiplicative updates of coupled models with factors >= 0: generalised coupled tensor factorization, GCTF
// (Ermis 2020, 3.2).
//
// Minimises   sum over tables of weight (divergence / phi + cells log(phi) / 2)  -  log prior,
// where phi is 1 unless dispersions are estimated. A factor's elements are multiplied by
//   ((pull + (shape - 1) / theta) / (push + rate))^gamma,
// gamma = 1 / (1 + max p - min(min p, 1)) over the tables of the factor, where a prior counts as p = 1: the
// new value then lies between the old one and the minimum of a convex majorant of the objective, which
// therefore never increases, even for tables of different divergences. With a single p, gamma is 1 up to p =
// 1 and 1 / p above.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/solve/fit.hpp>

namespace tulle {

struct MultiplicativeOptions {
  bool use_priors = false;  // MAP: the mode of the posterior. Shapes must be at least 1
  // phi = 2 divergence / cells after each sweep: the maximum of the extended quasi-likelihood (Nelder and
  // Pregibon 1987), whose deviance is twice the divergence.
  bool estimate_dispersion = false;
  const Coupled* start = nullptr;  // otherwise random
};

Fit<Coupled> fit_multiplicative(const Study& study, const MultiplicativeOptions& options,
                                const Control& control);

}  // namespace tulle
