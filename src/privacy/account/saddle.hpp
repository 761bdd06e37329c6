// The cumulant function of a composed privacy loss, and the saddle point that determines its tail.
#pragma once

#include "grid.hpp"
#include "pair.hpp"

#include <vector>

namespace tulle::account {

// Cumulants of the sum of independent losses: ln E[e^(theta L)], and its first and second derivative in
// theta.
struct Cumulants {
  double log, mean, variance;
};

// Plans a computation. Only at() with theta >= 0 also suits a bound, to the 1e-10 or so of its quadrature.
class SumOfLosses {
 public:
  // Points of a probability below `least` count as infinite losses, as on the grid: otherwise they would
  // dominate high cumulants.
  void add(const Pair& pair, Direction direction, double count, double least);

  Cumulants at(double theta) const;
  double largest() const { return largest_; }    // sum of the largest losses
  double smallest() const { return smallest_; }  // sum of the smallest
  double infinite() const { return infinite_; }  // probability of an infinite loss
  double count() const { return count_; }
  std::size_t points() const;                // points that every call of at() visits
  double spread() const { return spread_; }  // range of the widest of the losses

  // Where the grid of the part-th loss added may be coarser than `width`, if the error of the cumulant may
  // grow by at most a quarter.
  std::vector<Stride> strides(std::size_t part, double theta, double width) const;

  // ln delta at an epsilon equal to the tilted mean, by the saddle point; exact for Gaussians.
  static double log_delta(double theta, const Cumulants& tilted);

  // Delta from one large loss alone: nearly all of delta if rare large losses decide.
  double delta_of_largest(double epsilon) const;

  // The theta whose tilted mean is epsilon, or whose saddle point has that delta; at least kLeastTheta /
  // standard deviation.
  double theta_for_epsilon(double epsilon) const;
  double theta_for_delta(double delta) const;

  // Chernoff: the least over t >= 0 of ln E_theta[e^(t (L - place))], and its t; for the lower tail, t <= 0.
  struct Tail {
    double log, shift;
  };
  Tail upper_tail(double theta, double place) const;
  Tail lower_tail(double theta, double place) const;

 private:
  struct Part {
    std::vector<double> loss, log_p;
    double count;
  };
  double least_theta() const;
  Tail tail(double theta, double place) const;

  std::vector<Part> parts_;
  double largest_ = 0, smallest_ = 0, infinite_ = 0, count_ = 0, spread_ = 0;
};

}  // namespace tulle::account
