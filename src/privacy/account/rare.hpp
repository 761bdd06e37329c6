// Compositions in which a rare large loss decides and all others are almost nothing: sampling at tiny rates
// with little noise. Delta is then tiny next to the probability of the usual losses, whose rounding would
// drown it in a transform; here they are only bounded.
#pragma once

#include "tilted.hpp"

#include <vector>

namespace tulle::account {

// Losses with their expected counts, and the mean of (1 - e^(epsilon - L))+ over those above a cut.
class LossTail {
 public:
  struct Point {
    double loss, number;
  };
  explicit LossTail(std::vector<Point> points);

  double excess(double epsilon, double cut) const;
  double number_above(double cut) const;
  // Sums of two losses above the cut; the number of pairs is half the square of the count. Losses are rounded
  // up.
  LossTail pairs_above(double cut) const;

 private:
  std::size_t first_above(double place) const;

  std::vector<Point> points_;              // ascending
  std::vector<double> numbers_, weights_;  // sums of counts, and of counts times e^-loss, from a point on
};

// With N the number of releases whose loss is above a cut c, V those losses and S the sum of the others,
//   delta <= P(N >= 3) + P(S > s) + E[(1 - e^(epsilon - s - V1))+; N = 1]
//            + E[(1 - e^(epsilon - s - V1 - V2))+; N = 2]
// for every s <= epsilon, where P(N >= 3) <= E[N]^3 / 6, and Chernoff bounds P(S > s). The bound is the least
// over several cuts and values of s.
class RareLosses {
 public:
  // `scale`: about the epsilon in question; the grid resolves a small part of it.
  RareLosses(const std::vector<Release>& releases, Direction direction, double scale, double tail);

  double delta_upper(double epsilon) const;

 private:
  struct Part {
    std::vector<double> loss, mass;  // ascending
    double count;
  };
  struct Cut {
    double at, expected;  // E[N]
    LossTail pairs;
    std::vector<double> log_moment;  // of e^(t S) for each tilt t, over N <= 2
  };

  void add_moments(double tilt);                       // to every cut
  double usual_above(const Cut& cut, double s) const;  // P(S > s, N <= 2)

  std::vector<Part> parts_;
  LossTail all_;
  std::vector<double> tilts_;
  std::vector<Cut> cuts_;
  double infinite_ = 0;
};

}  // namespace tulle::account
