// Normal equations whose right-hand sides alone are noisy, solved by the posterior mean under Gaussian
// priors.
#pragma once

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/matrix.hpp>

#include <algorithm>

namespace tulle {

// r = L a + noise of covariance spread x L + deviation^2, where values vary by `spread` (a variance) around
// the fit, and a ~ N(0, t). In the basis of the eigenvectors of L the coordinates are independent:
//   a_k = r_k l / (l^2 + (spread l + deviation^2) / t).
// Without noise that is the ridge spread / t.
class NoisyEquations {
 public:
  NoisyEquations() = default;
  NoisyEquations(const Eigen::MatrixXd& left, const Vector& right)
      : eigen_(eigendecomposition(left)), right_(eigen_.vectors.transpose() * right) {}

  // For the moment estimate of t: the excess of the squares of r over those of noise, and the expected excess
  // for t = 1.
  double excess(double spread, double deviation) const {
    return right_.squaredNorm() - spread * eigen_.values.sum() -
           deviation * deviation * static_cast<double>(right_.size());
  }
  double squares() const { return eigen_.values.squaredNorm(); }

  Vector solve(double spread, double deviation, double t) const {
    Vector solution = right_;
    for (Eigen::Index k = 0; k < solution.size(); ++k) {
      const double value = std::max(eigen_.values[k], 0.0);
      const double all = t * value * value + spread * value + deviation * deviation;
      solution[k] *= all > 0 ? t * value / all : 0;
    }
    return eigen_.vectors * solution;
  }

 private:
  Eigendecomposition eigen_;
  Vector right_;  // in the eigenvectors
};

}  // namespace tulle
