// Composes releases and bounds their total privacy cost with the accountant that gives the least bound.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/unit.hpp>

#include <span>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The accountants. Each gives an upper bound; "exact" means exact except for rounding.
enum class Accounting {
  pure,     // epsilons and deltas add up
  unseen,   // epsilon 0; delta is the probability that a unit is in any sample
  optimal,  // Kairouz-Oh-Viswanath: equal (epsilon, delta) releases; exact
  gdp,      // Gaussian releases without sampling; exact
  pld,      // privacy loss distribution; exact up to its grid
  rdp,      // Renyi divergences, tight conversion
  parts,    // each kind of release by its own best accountant; epsilons and deltas of the kinds add up
};

std::string_view name(Accounting accounting);

struct Bound {
  double value;  // the epsilon or the delta that was asked for
  Accounting how;
  double delta;  // the delta of the bound: 0 only if the releases are pure; never more than was granted
};

// Composes releases on one data set whose neighbours are related by `relation`. Results are upper bounds, the
// least of the valid ones. Composition is adaptive: a release may depend on the outcomes of those before it.
class Accountant {
 public:
  explicit Accountant(Relation relation) : relation_(relation) {}

  void add(const Event& event);

  // Epsilon for a delta in [0, 1): infinite when no epsilon will do. Delta for an epsilon >= 0.
  double epsilon(double delta) const { return epsilon_upper(delta).value; }
  double delta(double epsilon) const { return delta_upper(epsilon).value; }

  // The same bounds, with the accountant that gave each.
  Bound epsilon_upper(double delta) const;
  Bound delta_upper(double epsilon) const;

  Relation relation() const { return relation_; }
  // The releases added; equal releases are joined into one event.
  const std::vector<Event>& events() const { return events_; }

 private:
  Relation relation_;
  std::vector<Event> events_;
};

// The same for a complete list of releases.
Bound epsilon_upper(std::span<const Event> events, Relation relation, double delta);
Bound delta_upper(std::span<const Event> events, Relation relation, double epsilon);

}  // namespace tulle

#pragma GCC visibility pop
