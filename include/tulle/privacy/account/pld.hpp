// Privacy loss distributions on a grid: tight for every mix of releases.
//
// Connect-the-dots discretisation (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022), composition by Fourier
// transform of the exponentially tilted distribution, all errors bounded and added: the answers are upper
// bounds.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/unit.hpp>

#include <span>

namespace tulle {

struct PldOptions {
  // Width of the grid of losses; 0: chosen so that it costs epsilon at most about 1e-6 of itself, or more
  // where that would take long.
  double interval = 0;
  // A grid need not cost epsilon less than this share of itself, even where a finer one is quick.
  double share = 0;
};

// Whether there is a privacy loss distribution for it; those without have a Renyi bound.
bool has_pld(const Event& event, Relation relation);

double pld_epsilon_upper(std::span<const Event> events, Relation relation, double delta,
                         const PldOptions& options = {});
double pld_delta_upper(std::span<const Event> events, Relation relation, double epsilon,
                       const PldOptions& options = {});

}  // namespace tulle
