// Step sizes of stochastic gradient descent.
#pragma once

#include <tulle/base/error.hpp>

namespace tulle {

class StepSchedule {
 public:
  StepSchedule(double step, double decay, int epochs) : step_(step), decay_(decay), epochs_(epochs) {
    if (!(step > 0)) fail_usage("step: {} is too small; give more than 0", step);
    if (!(decay >= 0)) fail_usage("decay: {} is negative; give 0 or more", decay);
  }

  // Epoch t = 0, 1, .. of a run without a fixed end.
  double open(int epoch) const { return step_ / (1 + decay_ * epoch); }

  // Epoch t = 0, 1, .. of T. The second factor lets the step decrease to zero, and with it the noise of
  // single steps.
  double at(int epoch) const { return open(epoch) * (1 - static_cast<double>(epoch) / epochs_); }

 private:
  double step_, decay_;
  int epochs_;
};

}  // namespace tulle
