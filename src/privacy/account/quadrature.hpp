// Gauss-Legendre rules on small panels: exact to rounding for functions that are smooth on the scale of the
// panel.
#pragma once

#include <array>
#include <cmath>

namespace tulle::account {

struct Rule8 {
  static constexpr int size = 8;
  static constexpr std::array<double, 8> node = {-0.9602898564975363, -0.7966664774136267, -0.525532409916329,
                                                 -0.1834346424956498, 0.1834346424956498,  0.525532409916329,
                                                 0.7966664774136267,  0.9602898564975363};
  static constexpr std::array<double, 8> weight = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                                                   0.362683783378362,  0.362683783378362,  0.3137066458778873,
                                                   0.2223810344533745, 0.1012285362903763};
};

// Calls use(x, weight) for the nodes of `panels` equal panels of [from, to].
template <class Use>
void gauss_legendre_nodes(double from, double to, int panels, const Use& use) {
  const double half = (to - from) / panels / 2;
  for (int panel = 0; panel < panels; ++panel) {
    const double middle = from + (2 * panel + 1) * half;
    for (int i = 0; i < Rule8::size; ++i) use(middle + half * Rule8::node[i], half * Rule8::weight[i]);
  }
}

// The integral of f over one panel, given by its middle and half its width: next to a large middle, the
// rounded ends would lose the width.
template <class F>
double gauss_legendre_around(double middle, double half, const F& f) {
  double sum = 0;
  for (int i = 0; i < Rule8::size; ++i) sum += half * Rule8::weight[i] * f(middle + half * Rule8::node[i]);
  return sum;
}

}  // namespace tulle::account
