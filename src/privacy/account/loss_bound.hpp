// The bound by privacy loss distributions in the form that the accountant needs: it always returns, in
// bounded time, and states how tight it is.
#pragma once

#include <tulle/privacy/account/pld.hpp>
#include <tulle/privacy/unit.hpp>

#include <span>

namespace tulle::account {

struct LossBound {
  double value;  // infinite, or a delta of 1, if there is no bound
  bool tight;    // whether it is known to exceed the exact value by less than about 1e-5 of itself
};

// For releases that all have a privacy loss distribution.
LossBound loss_epsilon_upper(std::span<const Event> events, Relation relation, double delta);
LossBound loss_delta_upper(std::span<const Event> events, Relation relation, double epsilon,
                           const PldOptions& options = {});

// The accountant's least upper bound of delta, with a grid that may be coarser.
double delta_upper_by(const PldOptions& options, std::span<const Event> events, Relation relation,
                      double epsilon);

}  // namespace tulle::account
