// Moments of a mixture of spherical Gaussians, and the mixture from them (Hsu and Kakade 2013): with the
// common variance s^2 and the mean m,
//   M2 = E[x x] - s^2 I,   M3 = E[x x x] - s^2 sum_i (m e_i e_i + e_i m e_i + e_i e_i m)
// are what M2 and M3 are for topics. Rows have at most length 1.
#pragma once

#include "projected.hpp"

#include <tulle/model/topics.hpp>
#include <tulle/solve/topics/power.hpp>
#include <tulle/solve/topics/whiten.hpp>

#include <vector>

namespace tulle {

// Sums of x and of the cells of x x^T, isometric (projected.hpp): of one row a vector of norm at most
// sqrt(2).
std::vector<double> low_moments(const Matrix& rows);
// Sum of x x x, by its cells (tensor/symmetric.hpp).
std::vector<double> third_moment(const Matrix& rows);
// Sum of v x v x v, where v = W^T x / bound is shortened to length 1.
Cube projected_moment(const Matrix& rows, const Matrix& whiten, double bound);

// The L2 sensitivity of these sums to replacing a row. For rows x and y with p = <x, y> between -1 and 1, the
// product of the low moments is p + p^2 and that of the third moments p^3, so the squared distance of two
// rows' vectors is at most twice the largest product minus twice the smallest one.
double replaced_low_moments(const TopicRequest& request);

// All moments in one vector, each kind times its weight: one release of all has a smaller sensitivity than
// three releases together.
struct MomentWeights {
  double first, second, third;
};
std::vector<double> weighted_moments(const Matrix& rows, const MomentWeights& weights);
double replaced_moments(const TopicRequest& request, const MomentWeights& weights);

// The first and second moment as released, and the standard deviation of an entry off the diagonal.
struct LowMoments {
  Vector mean;
  Matrix second;
  double deviation;
};
// From the means of low_moments, which have this standard deviation.
LowMoments low_moments_of(const Noisy& means, Index words);

// The estimate from the second moment: the variance, and the space of the means.
struct MixtureSubspace {
  double variance;
  Whitening whitening;
  Cube correction;  // what is to be taken from the third moment in the whitened space
};
MixtureSubspace subspace_of(const LowMoments& low, int components);

// From the terms of the third moment in the whitened space, or from that moment itself.
Topics mixture_of(const MixtureSubspace& subspace, const RankOneTerms& terms);
Topics mixture_of(const MixtureSubspace& subspace, const Cube& third, const TopicOptions& options);

// Means that noise made longer than any row can be are shortened to length 1.
void shorten_means(Topics& mixture);

// T(W, W, W) of a cube.
Cube project(const Cube& cube, const Matrix& whiten);

}  // namespace tulle
