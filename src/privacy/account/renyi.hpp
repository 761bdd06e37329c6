// Renyi divergences of a list of releases, for several questions about the same list: divergences are
// computed once and kept.
#pragma once

#include "pair.hpp"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tulle::account {

class RenyiCurve {
 public:
  RenyiCurve(std::span<const Event> events, Relation relation);

  double divergence(double order) const;  // of all releases together
  double epsilon_upper(double delta) const;
  double delta_upper(double epsilon) const;

  // Total variation between the mechanisms that run and those analysed, at most.
  double distance() const { return distance_; }

 private:
  struct Release {
    Pair pair;
    double count;
    // For a discrete pair, in both directions: the same for all orders.
    std::optional<LossPoints> removal, addition;
  };

  static double divergence(const Release& release, double order);
  template <class Value>
  double least(const Value& bound) const;

  std::vector<Release> releases_;
  double distance_ = 0;
  mutable std::map<double, double> known_;  // divergences by order
};

}  // namespace tulle::account
