// Refines a mixture of spherical Gaussians to fit noisy moments, from a start that is close.
#pragma once

#include <tulle/model/topics.hpp>

#include <array>
#include <span>

namespace tulle {

// Means of x, of the cells of x x^T and of those of x x x, concatenated (tensor/symmetric.hpp). A cell stands
// for all its places, times the square root of their number, so that the noise has the same variance in all
// cells of a moment.
struct MixtureMoments {
  std::span<const double> moments;
  std::array<double, 3> weights = {
      1, 1, 1};  // of the first, second and third moments, proportional to 1 / standard deviation
};

// Least squares in the means, the shares and the variance, by Levenberg-Marquardt. A mixture so large that
// the derivatives would need more than 256 MiB is returned unchanged.
Topics refine(Topics start, const MixtureMoments& data, int max_iterations = 50);

}  // namespace tulle
