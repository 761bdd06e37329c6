// The means of positions and the covariance of users' values, from released sums over users: the free part of
// joint privacy if positions are few. Values lie in [-1, 1].
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tulle {

// The first release: sums over users of (1, her mean, the share of positions that she has values at, whether
// they are several, the standard deviation of these around her mean), and of a number that makes the square
// of each user's vector the same, so that none counts for more.
struct UserPilot {
  static constexpr std::size_t kNumbers = 6;
  static constexpr double kSquare = 5;

  double users;        // how many there are, about
  double level;        // mean of users' means
  double uncertainty;  // variance of its error
  double filled;       // share of the positions that a user has values at
  double spread;       // standard deviation of a user's values around her mean
};

// `sums` are of vectors scaled to length 1 (user_vectors.hpp), with noise of this standard deviation.
UserPilot user_pilot(std::span<const double> sums, double deviation, double positions);

// The means of positions, less the level of the pilot.
struct PositionMeans {
  Vector values;
  double uncertainty;  // variance of the error that they have in common
  Vector counts = {};  // how many users have values at each, up to a factor
};

// `sums` over users of w (value less level), and of w spread, over the values of each position: two numbers
// per position.
PositionMeans position_means(const UserPilot& pilot, std::span<const double> sums, double deviation);

// How values at positions vary together around their means: covariance = factors factors^T + diag(own). The
// first column of `factors` is constant: users differ in their level.
struct UserCovariance {
  Matrix factors;
  Vector own;
};

// The number of coordinates of pair sums.
constexpr std::size_t pair_numbers(std::size_t positions) {
  return positions * (positions + 1);
}
// Whether, by the pilot, pair sums with noise of this standard deviation are expected to show more than
// users' levels.
bool pairs_pay(const UserPilot& pilot, double positions, double deviation);
// The weight of the presence of a pair relative to a product of two values.
double pair_unit(const UserPilot& pilot);
constexpr double kPairTwice = 1.4142135623730951;  // a pair of two positions, for its mirror image too

// The second half of pair sums: how many users have values at both, up to a factor, with noise of a
// deviation.
struct PairCounts {
  std::vector<double> sums;  // pairs of two positions times kPairTwice
  double deviation;
};
PairCounts pair_counts(const UserPilot& pilot, std::span<const double> sums, double deviation);

// The covariance without pair sums: users differ in their level, by the expected variance.
UserCovariance expected_covariance(const UserPilot& pilot, const PositionMeans& means);

// `sums` over users of w r_i r_j and of w pair_unit, for pairs i <= j of positions at which she has values, r
// being values less means, pairs of two positions times kPairTwice. Directions that noise, or so small a
// sample of users, alone would have are dropped, and at most `most` are kept beside the level.
UserCovariance user_covariance(const UserPilot& pilot, const PositionMeans& means,
                               std::span<const double> sums, double deviation, std::optional<int> most);

}  // namespace tulle
