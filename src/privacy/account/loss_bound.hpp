// The bound by privacy loss distributions as the accountant takes it: it always comes, in bounded time, and
// says what it is worth.
#pragma once

#include <tulle/privacy/account/pld.hpp>
#include <tulle/privacy/unit.hpp>

#include <span>

namespace tulle::account {

struct LossBound {
  double value;  // infinite, or a delta of 1, where there is none
  bool tight;    // whether it is known to exceed the exact value by a share of less than about 1e-5
};

// For releases that all have a privacy loss distribution (has_pld).
LossBound loss_epsilon_upper(std::span<const Event> events, Relation relation, double delta);
LossBound loss_delta_upper(std::span<const Event> events, Relation relation, double epsilon,
                           const PldOptions& options = {});

// The least of all bounds of delta, as the accountant's, with a grid that may be coarser.
double delta_upper_by(const PldOptions& options, std::span<const Event> events, Relation relation,
                      double epsilon);

}  // namespace tulle::account
