// Privacy losses on a grid, tilted towards the epsilon in question.
//
// The composed loss is a sum of independent losses, so its distribution is a convolution: a product after a
// Fourier transform. A transform of plain probabilities is poor for two reasons: rounding leaves an absolute
// error of about 1e-16 times the number of steps, more than a small delta; and the window must hold the whole
// distribution. So each distribution is first *tilted*, p(l) e^(theta l - K), with theta at the saddle point:
// the composed tilted distribution is centred at the epsilon in question, a window of a few of its standard
// deviations is enough, and undoing the tilt shrinks all errors with delta.
#pragma once

#include "grid.hpp"

#include <cstdint>
#include <vector>

namespace tulle::account {

struct Release {
  Pair pair;
  double count;
};

// Where to compute, and how finely. Nothing in it has to be exact: it affects how tight the bounds are, not
// whether they hold.
struct Plan {
  double theta;
  double width;             // of the grid
  double centre;            // of the window
  std::size_t size;         // of the window, in grid points
  double tail;              // probability to cut from each loss
  double upper_shift;       // tilt on top of theta that bounds the mass above the window well
  double single_deviation;  // of the tilted loss of one release
  std::vector<std::vector<Stride>> strides;  // of the grid of each release
};

// One kind of release: its tilted probabilities sum up to 1.
struct TiltedLoss {
  std::vector<std::int64_t> index;
  std::vector<double> mass;
  double count;
};

struct TiltedLosses {
  TiltedLosses(const std::vector<Release>& releases, Direction direction, const Plan& plan);

  // Chernoff's bound on the probability that the sum of losses is at least `top`, the grid point `index`.
  double above(double top, double index) const;

  std::vector<TiltedLoss> parts;
  double theta, width;
  double log_scale = 0;  // the true probability of a sum l is the tilted one times e^(log_scale - theta l)
  double count = 0;      // of releases
  double growth = 0;     // relative error of the probability of any sum
  double infinite = 0;   // probability of an infinite loss

 private:
  double upper_shift_, log_above_ = 0, greatest_ = 0;
};

}  // namespace tulle::account
