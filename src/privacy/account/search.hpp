// Searches on monotone and on unimodal functions. They end after a fixed number of steps, whatever the
// function does.
#pragma once

#include <cmath>
#include <utility>

namespace tulle::account {

// The end of [no, yes] at the place where `holds` turns from false to true, within a relative `width`;
// holds(yes) is assumed. `no` may lie above `yes`: the result always satisfies `holds`, given that yes does.
template <class Holds>
double last_place(double yes, double no, double width, const Holds& holds, int steps = 200) {
  for (int step = 0; step < steps && std::abs(no - yes) > width * std::abs(yes); ++step) {
    const double middle = yes + (no - yes) / 2;
    if (middle == yes || middle == no) break;
    (holds(middle) ? yes : no) = middle;
  }
  return yes;
}

// Golden-section search for the least value of `f` on [from, to]. Returns a value that f takes.
template <class F>
double least_value(double from, double to, double width, const F& f) {
  constexpr double kGolden = 0.6180339887498949;
  double left = to - kGolden * (to - from), right = from + kGolden * (to - from);
  double f_left = f(left), f_right = f(right);
  for (int step = 0; step < 100 && to - from > width; ++step) {
    if (f_left <= f_right) {
      to = std::exchange(right, left);
      f_right = f_left;
      f_left = f(left = to - kGolden * (to - from));
    } else {
      from = std::exchange(left, right);
      f_left = f_right;
      f_right = f(right = from + kGolden * (to - from));
    }
  }
  return f_left < f_right ? f_left : f_right;
}

}  // namespace tulle::account
