// Delta along a grid of losses.
#pragma once

#include <algorithm>
#include <cmath>

namespace tulle::account {

// Walks down a grid of losses with the given step and knows delta, the mean of (1 - e^(place - L))+, at each
// place. Going one step down, delta becomes e^-step delta + (1 - e^-step) (mass above): positive terms only,
// so nothing cancels.
class DeltaWalk {
 public:
  explicit DeltaWalk(double step) : keep_(std::exp(-step)), gain_(-std::expm1(-step)) {}

  double delta() const { return delta_; }

  // To the next lower place; `mass` is what the place that is left has.
  void step_down(double mass) {
    above_ += mass;
    delta_ = keep_ * delta_ + gain_ * above_;
    rest_ = keep_ * (rest_ + mass);
  }

  // Delta a little higher than here, by less than a step. (Steps of hundreds overflow: then delta here must
  // do.)
  double delta_higher(double by) const {
    const double less = rest_ * std::expm1(by);
    return std::isfinite(less) ? std::max(0.0, delta_ - less) : delta_;
  }

  // How much higher delta is down to `wanted`, which it is within the next step.
  double higher_for(double wanted) const { return std::log1p(std::max(0.0, delta_ - wanted) / rest_); }

 private:
  double keep_, gain_, above_ = 0, delta_ = 0;
  double rest_ =
      0;  // above - delta, the mean of e^(place - L) above the place: next to nothing after a long step
};

}  // namespace tulle::account
