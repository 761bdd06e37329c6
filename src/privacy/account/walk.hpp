// Delta along a grid of losses.
#pragma once

#include <algorithm>
#include <cmath>

namespace tulle::account {

// Walks down a grid of losses with the given step and keeps delta, the mean of (1 - e^(place - L))+, at each
// place. One step down, delta becomes e^-step delta + (1 - e^-step) (mass above): only positive terms, so
// nothing cancels.
class DeltaWalk {
 public:
  explicit DeltaWalk(double step) : keep_(std::exp(-step)), gain_(-std::expm1(-step)) {}

  double delta() const { return delta_; }

  // To the next lower place; `mass` is the mass at the place that it leaves.
  void step_down(double mass) {
    above_ += mass;
    delta_ = keep_ * delta_ + gain_ * above_;
    rest_ = keep_ * (rest_ + mass);
  }

  // Delta at a place higher by `by`, less than a step. (Steps of hundreds overflow: then delta here.)
  double delta_higher(double by) const {
    const double less = rest_ * std::expm1(by);
    return std::isfinite(less) ? std::max(0.0, delta_ - less) : delta_;
  }

  // How much higher the place is where delta falls to `wanted`, which it does within the next step.
  double higher_for(double wanted) const { return std::log1p(std::max(0.0, delta_ - wanted) / rest_); }

 private:
  double keep_, gain_, above_ = 0, delta_ = 0;
  double rest_ =
      0;  // above - delta, the mean of e^(place - L) above the place: next to nothing after a long step
};

}  // namespace tulle::account
