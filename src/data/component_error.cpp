#include <tulle/base/error.hpp>
#include <tulle/data/component_error.hpp>

namespace tulle {

double component_error(const Matrix& recovered, const Matrix& truth) {
  if (recovered.rows() != truth.rows() || recovered.cols() < 1 || truth.cols() < 1)
    fail("true components of {} numbers beside recovered ones of {}", truth.rows(), recovered.rows());
  double sum = 0;
  for (Eigen::Index k = 0; k < recovered.cols(); ++k)
    sum += (truth.colwise() - recovered.col(k)).colwise().norm().minCoeff();
  return sum / static_cast<double>(recovered.cols());
}

}  // namespace tulle
