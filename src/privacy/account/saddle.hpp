// The cumulant function of a composed privacy loss, and the saddle point that says where its tail is decided.
#pragma once

#include "grid.hpp"
#include "pair.hpp"

#include <vector>

namespace tulle::account {

// Cumulants of the sum of independent losses: ln E[e^(theta L)] with its first and second derivative in
// theta.
struct Cumulants {
  double log, mean, variance;
};

// For planning a computation. Only at() with theta >= 0 is also good for a bound, to the 1e-10 or so of its
// quadrature.
class SumOfLosses {
 public:
  // Points of a probability below `least` are taken for infinite losses, as on the grid: high cumulants would
  // see nothing else.
  void add(const Pair& pair, Direction direction, double count, double least);

  Cumulants at(double theta) const;
  double largest() const { return largest_; }    // sum of the largest losses
  double smallest() const { return smallest_; }  // sum of the smallest
  double infinite() const { return infinite_; }  // probability of an infinite loss
  double count() const { return count_; }
  std::size_t points() const;                // that every call of at() looks at
  double spread() const { return spread_; }  // range of the widest of the losses

  // Where the grid of the part-th loss added may be coarser than `width`, for at most a quarter more error in
  // the cumulant.
  std::vector<Stride> strides(std::size_t part, double theta, double width) const;

  // ln delta at the epsilon where the tilted mean is, by the saddle point; exact for Gaussians.
  static double log_delta(double theta, const Cumulants& tilted);

  // Delta from one large loss alone: what it is, nearly, where rare large losses decide.
  double delta_of_largest(double epsilon) const;

  // Theta whose tilted mean is epsilon, or whose saddle point has that delta; kLeastTheta / deviation at
  // least.
  double theta_for_epsilon(double epsilon) const;
  double theta_for_delta(double delta) const;

  // Chernoff: the least over t >= 0 of ln E_theta[e^(t (L - place))], and the t it is taken at; for the lower
  // tail t <= 0.
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
