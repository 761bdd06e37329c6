// A public grid on which long sums of doubles are exact.
//
// The rounding error of a long sum depends on all of its terms. If one term changes, the error of the sum can
// change by more than that term does, and noise for one term would not hide it. Terms that are first rounded
// to multiples of one power of two, the step, add up without error, in any order: the sums of two
// neighbouring data sets then differ by exactly the difference of the rounded terms.
//
// Effect of rounding on a sensitivity: a term of at most `largest` that was computed by at most 16 roundings
// of numbers no larger than that is within one step of its real value. So, over k coordinates, replacing a
// term changes the sums by at most 2 k steps more in L1, and 2 sqrt(k) more in L2, than the real terms differ
// by; adding a term, by at most k or sqrt(k) steps more than its own norm.
#pragma once

// A compiler that may reorder sums rounds them differently: nothing above would hold.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Tulle's guarantees need exact rules of floating point: build without -ffast-math and -Ofast"
#endif

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>

#pragma GCC visibility push(default)

namespace tulle {

class SumGrid {
 public:
  // For sums of up to `count` terms of absolute value up to `largest`. Both must be public, since they choose
  // the step: the smallest power of two above largest * max(count, 8) * 2^-51.
  SumGrid(double largest, double count) {
    const double total = largest * std::max(count, 8.0);
    if (!(total > 0x1p-900 && total < 0x1p900 && count < 0x1p45))
      fail("sums of up to {:g} terms of up to {:g} do not fit a grid of doubles", count, largest);
    step_ = std::ldexp(1.0, std::ilogb(total) - 50);
    shift_ = 0x1.8p52 * step_;
  }

  double step() const { return step_; }

  // The nearest multiple of the step: added to 1.5 * 2^52 steps, a number has no bits left below one step.
  double round(double term) const { return (term + shift_) - shift_; }

  // The summand of round(), for code that rounds several values in one vector. A sum that starts with it has
  // no bits below one step either: while the rounding mode is down (base/rounding.hpp), a term added to it is
  // rounded down to the grid, by less than a step, whatever the sum is. With rounding to nearest, the other
  // terms would decide how a term half a step from the grid is rounded.
  double shift() const { return shift_; }

 private:
  double step_, shift_;
};

}  // namespace tulle

#pragma GCC visibility pop
