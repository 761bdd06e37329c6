// Scales values to a common range and predictions back from it.
//
// Minima, maxima, means and variances are statistics of the data. On private data they are private: scaling
// with them lies outside any guarantee, because one value changes every value of its row and column (Wei et
// al. 2022 bi-scale before they add noise, so their stated sensitivity does not hold). If the range is
// public, make a MinMax from it instead.
#pragma once

#include <span>

namespace tulle {

// Maps low .. high to 0 .. 1 and back. If low == high, everything scales to 0 and restores to low.
struct MinMax {
  double low = 0;
  double high = 1;

  double scaled(double value) const { return high > low ? (value - low) / (high - low) : 0; }
  double restored(double value) const { return low + value * (high - low); }

  void scale(std::span<double> values) const;
  void scale(std::span<float> values) const;
  void restore(std::span<double> values) const;
};

MinMax min_max(std::span<const double> values);
MinMax min_max(std::span<const float> values);

}  // namespace tulle
