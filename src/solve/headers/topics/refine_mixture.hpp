// A mixture of spherical Gaussians that fits noisy moments best, from a start that is near.
#pragma once

#include <tulle/model/topics.hpp>

#include <array>
#include <span>

namespace tulle {

// Means of x, of the cells of x x^T and of those of x x x, one behind the other (tensor/symmetric.hpp); cells
// count once for all their places, times the square root of how many these are. So noise on the
// numbers of a moment is alike.
struct MixtureMoments {
  std::span<const double> moments;
  std::array<double, 3> weights = {
      1, 1, 1};  // of first, second and third moments: 1 / deviation, or in its proportion
};

// Least squares in the means, the shares and the variance, by Levenberg-Marquardt. A mixture so large that
// the derivatives would not fit into memory is handed back as it is.
Topics refine(Topics start, const MixtureMoments& data, int max_iterations = 50);

}  // namespace tulle
