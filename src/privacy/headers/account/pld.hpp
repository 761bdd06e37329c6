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
  // Width of the grid of losses. 0 chooses a width that raises epsilon by about 1e-6 of itself at most, or by
  // more if such a grid takes long.
  double interval = 0;
  // Share of itself that a grid may always add to epsilon, even if a finer grid is quick.
  double share = 0;
};

// Of releases that have a privacy loss distribution; others have a Renyi bound.
double pld_epsilon_upper(std::span<const Event> events, Relation relation, double delta,
                         const PldOptions& options = {});
double pld_delta_upper(std::span<const Event> events, Relation relation, double epsilon,
                       const PldOptions& options = {});

}  // namespace tulle
